"""Export a store as lines, and import lines into a store."""
