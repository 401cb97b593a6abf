"""Google Drive: its API, the key of a service account, and what files become here."""
