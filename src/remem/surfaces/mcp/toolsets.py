"""The names of the toolsets, for whoever has to know them before the tools are loaded."""

TOOLSETS = ("assistant", "coding", "platform")
