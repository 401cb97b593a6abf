"""Run text analysis off the event loop, each call with a deadline."""
