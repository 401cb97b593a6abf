"""Merge, decay and promote memories automatically; every action can be undone exactly."""
