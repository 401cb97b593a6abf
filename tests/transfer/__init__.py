"""Everything leaves as easily as it came."""
