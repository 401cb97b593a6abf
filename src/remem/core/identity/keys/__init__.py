"""API keys: created, listed, revoked and cached."""
