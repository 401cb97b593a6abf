"""What coding agents call when a session begins and ends."""
