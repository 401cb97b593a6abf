"""The check-up: what is wrong with a store, and one action for each that can be undone."""
