"""The only way to a user's URL."""
