"""The schema, as numbered forward-only SQL migrations."""
