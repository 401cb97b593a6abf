"""Rules for English text: pure functions, text in and values out; word lists are data files."""
