"""Secret addresses at which calendar programs read what is due."""
