"""Names in a text, and the types of things they name."""
