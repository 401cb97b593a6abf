"""What a service that people connect gives, item by item, and the port of those who read it."""
