"""The REST API and its dialects."""
