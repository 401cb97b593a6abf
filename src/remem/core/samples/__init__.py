"""Sample data to try remem with: invented, in a project of its own, removed with one call."""
