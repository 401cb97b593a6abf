"""Sessions and their turns: what was asked, what was recalled for it, and what was used."""
