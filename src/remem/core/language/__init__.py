"""What English text says: pure functions, text in and values out; word lists are data files."""
