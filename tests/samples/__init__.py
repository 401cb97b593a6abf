"""Samples of every kind of file, made by well-known writers when a test asks for them."""
