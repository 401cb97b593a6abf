"""Connected services: their items, and the port of the connectors that read them."""
