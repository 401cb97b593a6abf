"""What counts requests, across processes."""
