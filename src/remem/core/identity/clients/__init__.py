"""OAuth clients: programs that request access for a user; they register themselves."""
