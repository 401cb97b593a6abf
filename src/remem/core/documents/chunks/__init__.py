"""Chunks of documents: cut out of a reading, kept, and found to lack a vector."""
