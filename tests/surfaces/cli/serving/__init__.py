"""Limits of connections: their number, speed and duration."""
