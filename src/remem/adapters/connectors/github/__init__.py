"""GitHub: its API, the selection of files, and the conversion of files and issues."""
