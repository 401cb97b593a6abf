"""Originals, byte for byte: kept, given up, swept."""
