"""Queued work and its results."""
