"""The HTTP server: how connections are accepted, limited and closed."""
