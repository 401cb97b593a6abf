"""Signals: explicit feedback on the results of queries."""
