"""Programs that ask to act for a person: registered by themselves, trusted by nobody yet."""
