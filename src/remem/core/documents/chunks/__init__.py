"""Chunks of documents: cut, stored, embedded."""
