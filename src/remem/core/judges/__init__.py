"""Who decides about statements: rules, the reader, a language model."""
