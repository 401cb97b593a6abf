"""What the server says of itself to a monitoring system."""
