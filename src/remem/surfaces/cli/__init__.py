"""The remem command, one file a group."""
