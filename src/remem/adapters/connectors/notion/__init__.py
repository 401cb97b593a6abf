"""Notion: its API, and the conversion of pages and their properties."""
