"""The Model Context Protocol, for assistants."""
