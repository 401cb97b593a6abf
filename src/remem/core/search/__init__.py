"""The ranked answer to a query."""
