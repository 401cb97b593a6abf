"""Notion: its API, and what pages and their properties become here."""
