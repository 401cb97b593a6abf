"""RSS, Atom and JSON feeds, parsed into entries."""
