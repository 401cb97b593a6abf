"""GitHub: its API, which files are read, and what files and issues become here."""
