"""Tests that every regex and every rule takes work proportional to the length of the text."""
