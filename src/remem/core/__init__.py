"""What the product means: no transport, no vendor."""
