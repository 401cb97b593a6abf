"""The arena: ways of searching compared on what was really asked and used."""
