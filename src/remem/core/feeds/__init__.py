"""Feeds a project is subscribed to, and the daily digests that are made of them."""
