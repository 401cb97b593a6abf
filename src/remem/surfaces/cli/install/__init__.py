"""Writing remem into the settings of assistants."""
