"""Every job by its name."""
