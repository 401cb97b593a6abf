"""Metrics and traces for monitoring systems."""
