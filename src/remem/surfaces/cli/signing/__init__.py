"""Signing in to a server: by browser or by key, kept where only the user can read it."""
