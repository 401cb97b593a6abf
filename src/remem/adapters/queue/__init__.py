"""What carries work to a worker."""
