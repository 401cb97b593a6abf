"""The remem command, one module per group of commands."""
