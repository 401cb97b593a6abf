"""Sentences that a person pins: their assistants get them at the start of every session."""
