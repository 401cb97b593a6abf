"""What reads a question and a text together."""
