"""Names that stand in a text, and what they are names of."""
