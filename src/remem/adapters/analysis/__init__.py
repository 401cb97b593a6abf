"""Runs analysis of users' text away from the event loop, each piece with a deadline."""
