"""Merge, decay and promote memories; every action can be undone exactly."""
