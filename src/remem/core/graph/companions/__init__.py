"""Memories that mention the same entities."""
