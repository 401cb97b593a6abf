"""Import the lines of an export: check all of them, then load them batch by batch."""
