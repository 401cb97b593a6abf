"""What writes down speech."""
