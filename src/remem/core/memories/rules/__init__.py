"""How a statement relates to another, decided without a language model."""
