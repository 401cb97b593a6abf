"""The names of people in indexed memories."""
