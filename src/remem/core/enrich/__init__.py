"""Metadata found in a text: title, summary, author, date, language, tags, category."""
