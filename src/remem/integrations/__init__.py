"""Integrations with agent frameworks, each an extra of the package."""
