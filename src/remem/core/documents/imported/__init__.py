"""Documents that were brought in as rows."""
