"""Connect an account by consenting at its service."""
