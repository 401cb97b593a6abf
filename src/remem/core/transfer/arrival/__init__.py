"""Lines become a store again: checked as a whole, then loaded batch by batch."""
