"""The claim of a statement: its subject, attribute, value and mood."""
