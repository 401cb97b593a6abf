"""Callers shared by the tests of every API."""

from tests.surfaces.rest.conftest import user

__all__ = ["user"]
