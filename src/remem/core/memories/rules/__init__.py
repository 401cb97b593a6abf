"""What a statement is to another, told without a language model."""
