"""Asks other services for tokens."""
