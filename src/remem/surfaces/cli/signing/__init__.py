"""Signing in to a server by browser or key; the credential is stored readable only by the user."""
