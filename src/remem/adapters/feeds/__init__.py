"""Feeds: what is published, entry by entry."""
