"""Files of other products, read item by item."""
