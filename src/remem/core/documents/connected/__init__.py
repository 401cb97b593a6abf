"""Documents that a connection keeps up to date."""
