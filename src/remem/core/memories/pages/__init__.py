"""Lists of memories, a page at a time."""
