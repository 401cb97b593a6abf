"""REST, in its dialects."""
