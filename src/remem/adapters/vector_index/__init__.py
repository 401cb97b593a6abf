"""What finds the nearest vectors."""
