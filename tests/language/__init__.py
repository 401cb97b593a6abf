"""Tests of the word lists."""
