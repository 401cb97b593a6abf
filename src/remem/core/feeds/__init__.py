"""Subscriptions of projects to feeds, and daily digests of their new entries."""
