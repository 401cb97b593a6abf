"""A memory that gets better by itself: measured ways of searching, and nightly upkeep."""
