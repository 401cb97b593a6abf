"""The versions of a document: a chain with one latest version."""
