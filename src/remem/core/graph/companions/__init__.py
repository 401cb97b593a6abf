"""Memories that mention the same things."""
