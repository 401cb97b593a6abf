"""Passages of a document that a person marked: memories with offsets into its text, and notes."""
