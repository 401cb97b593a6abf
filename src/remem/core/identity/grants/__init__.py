"""What a person lets a client do in their name: allowed, exchanged, refreshed, ended."""
