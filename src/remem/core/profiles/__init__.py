"""The profile of a project: lasting facts, recent ones, and those relevant to a query."""
