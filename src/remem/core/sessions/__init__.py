"""Sessions and their turns, with what was recalled and used for each turn."""
