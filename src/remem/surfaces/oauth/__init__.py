"""How a client is let in by a person: OAuth 2.1, with a page that asks."""
