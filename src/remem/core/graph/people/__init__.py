"""The names of people, as memories that are shown give them."""
