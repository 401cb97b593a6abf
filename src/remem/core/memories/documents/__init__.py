"""The documents that memories rest on."""
