"""Webhooks of connections."""
