"""The names of the toolsets, available without importing the tools."""

TOOLSETS = ("assistant", "coding", "platform")
