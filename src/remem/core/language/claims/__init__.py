"""What one statement claims: of whom, which attribute, with what value, in what mood."""
