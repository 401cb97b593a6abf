"""Slack: its API and its socket, and what messages become here."""
