"""Connections: how many, how slow, for how long."""
