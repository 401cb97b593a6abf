"""Slack: its API, Socket Mode, and the conversion of messages."""
