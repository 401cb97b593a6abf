"""Lists of documents, a page at a time."""
