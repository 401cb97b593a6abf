"""Atomic statements, versioned: saved, related, edited, forgotten."""
