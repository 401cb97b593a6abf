"""The documents that state memories."""
