"""Typed links with a time between memories, entities and documents."""
