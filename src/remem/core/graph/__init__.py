"""How things belong together: typed, timed links."""
