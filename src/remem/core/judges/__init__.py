"""Implementations of the `Judge` port: rules, the reader, a language model. See `choose.py`."""
