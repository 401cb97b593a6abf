"""Export and import of whole stores, and imports from other products."""
