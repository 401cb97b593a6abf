"""Maintenance of many items at once: archive, expire, forget by meaning, re-embed."""
