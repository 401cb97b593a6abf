"""The evaluation sets, read as talks and questions, and how answers are measured."""
