"""Counts of what is stored, and live updates."""
