"""The whole store in one file, and back."""
