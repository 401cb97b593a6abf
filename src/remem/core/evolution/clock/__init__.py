"""What is done by the clock: when it is due, and that one process does it."""
