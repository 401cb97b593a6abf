"""The evaluation sets as talks and questions, and the measures."""
