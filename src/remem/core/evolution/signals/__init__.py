"""Signals: what served a query and what did not, beside what sessions tell."""
