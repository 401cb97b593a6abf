"""Builds the image with podman over a base of Debian packages, and starts it many times."""
