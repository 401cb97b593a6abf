"""The callers that the tests of every API share."""

from tests.surfaces.rest.conftest import keeper

__all__ = ["keeper"]
