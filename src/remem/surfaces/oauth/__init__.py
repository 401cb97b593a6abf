"""OAuth 2.1: users grant clients access on a consent page."""
