"""The callers that the tests of every door share."""

from tests.surfaces.rest.conftest import keeper

__all__ = ["keeper"]
