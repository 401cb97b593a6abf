"""Where PostgreSQL comes from."""
