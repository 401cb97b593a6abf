"""The names of the toolsets, which can be imported without the tools."""

TOOLSETS = ("assistant", "coding", "platform")
