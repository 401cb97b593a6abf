"""The platform dialect."""
