"""Times as people write them, in statements, queries and options."""
