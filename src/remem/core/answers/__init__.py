"""Answers to questions, read out of what is kept, with the places they were read at."""
