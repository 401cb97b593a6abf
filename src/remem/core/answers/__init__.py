"""Answers to questions, taken from stored texts, with citations."""
