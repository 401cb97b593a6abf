"""What a connection has, item by item, and the document each is here."""
