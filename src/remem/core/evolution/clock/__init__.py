"""Scheduled work: when it is due, and that only one process does it."""
