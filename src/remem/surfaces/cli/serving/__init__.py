"""The HTTP server: how connections are taken, limited and closed."""
