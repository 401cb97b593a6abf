"""Invented sample data to try remem with, in a project of its own."""
