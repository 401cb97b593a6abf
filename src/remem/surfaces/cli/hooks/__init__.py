"""Hooks that coding agents call at the start and end of a session."""
