"""Your own questions with their expected sources: how well they are found, before and after."""
