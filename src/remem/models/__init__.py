"""Weights of the local models, fetched by tools/fetch_models.py and shipped in the wheel."""
