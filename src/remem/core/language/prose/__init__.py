"""Where a text speaks in sentences of its own, and how they are quoted."""
