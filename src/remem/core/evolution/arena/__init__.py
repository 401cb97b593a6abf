"""The arena: compare ways of searching on real questions and what their answers used."""
