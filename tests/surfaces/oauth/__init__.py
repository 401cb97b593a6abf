"""OAuth: registration, authorization and tokens."""
