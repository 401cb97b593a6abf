"""Everything leaves as easily as it came: a store as lines, and lines as a store."""
