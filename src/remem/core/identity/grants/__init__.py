"""Grants: what a user allows a client to do, and its tokens."""
