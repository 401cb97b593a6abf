"""Original files, byte for byte: saved, released, deleted."""
