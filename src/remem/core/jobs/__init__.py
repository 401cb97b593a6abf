"""Queued work, and what became of it."""
