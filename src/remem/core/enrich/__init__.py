"""What can be said of a text without a language model: only what stands in it."""
