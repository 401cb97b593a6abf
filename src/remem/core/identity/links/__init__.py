"""Links that sign a browser in, once."""
