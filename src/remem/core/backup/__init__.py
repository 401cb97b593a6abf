"""Back up the whole store to one file, and restore it."""
