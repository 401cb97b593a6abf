"""Versions of a memory: added to its chain, listed, restored."""
