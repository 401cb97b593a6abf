"""remem: the memory of a person and of their AI assistants."""
