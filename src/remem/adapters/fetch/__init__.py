"""Fetch URLs given by users; no other code may request them."""
