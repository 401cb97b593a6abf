"""The prose of a text, and how its sentences are quoted."""
