"""The doors: each parses, calls one verb, renders."""
