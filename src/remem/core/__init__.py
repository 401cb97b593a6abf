"""The product itself: no transport, no vendor."""
