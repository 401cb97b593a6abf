"""Documents: ingest, process, read, forget."""
