"""Saved things: ingest, process, read, forget."""
