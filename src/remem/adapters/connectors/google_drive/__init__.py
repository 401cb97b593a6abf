"""Google Drive: its API, service account keys, and the conversion of files."""
