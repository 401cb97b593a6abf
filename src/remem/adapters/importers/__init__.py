"""What other products give out: one module each."""
