"""The parts of a memory that says several things: its atomic facts."""
