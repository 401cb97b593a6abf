"""Erasing a memory with everything that depends on it."""
