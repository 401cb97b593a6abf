"""Models that read a question and a text together."""
