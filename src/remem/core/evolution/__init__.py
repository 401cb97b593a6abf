"""Automatic improvement of the store: measured ways of searching, and nightly upkeep."""
