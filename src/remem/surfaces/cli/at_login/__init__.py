"""`remem service`: start remem at login, and keep it running."""
