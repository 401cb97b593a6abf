"""Times as people write them: in statements, in queries, in options."""
