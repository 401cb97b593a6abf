"""The versions of a document: one chain, of which one is the latest."""
