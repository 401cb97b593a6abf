"""API keys: made, listed, revoked, and known for a while without asking the database."""
