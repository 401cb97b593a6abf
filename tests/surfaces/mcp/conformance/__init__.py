"""A server with the fixtures that the official conformance suite expects."""
