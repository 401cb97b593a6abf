"""Combine the routes of many routers into one list.

With nested routers, FastAPI searches for the route of a request twice at each level, and builds the
routes again for each level. In one list, it searches once."""

from collections.abc import Iterable, Iterator, Sequence
from inspect import signature
from typing import Any, TypeAlias

from fastapi import APIRouter
from fastapi.params import Depends
from fastapi.routing import APIRoute

Responses: TypeAlias = dict[int | str, dict[str, Any]]
_FIELDS = tuple(signature(APIRoute).parameters)


def collect_routes(
    routers: Iterable[APIRouter],
    *,
    dependencies: Sequence[Depends] = (),
    responses: Responses | None = None,
) -> Iterator[APIRoute]:
    """Yield the routes of all routers, with these dependencies and responses added."""
    for router in routers:
        for route in router.routes:
            # A router that includes another one does not list the routes of that one.
            assert isinstance(route, APIRoute), f"{route} is not a route of its own"
            yield _extend_route(route, dependencies, responses or {})


def _extend_route(
    route: APIRoute, dependencies: Sequence[Depends], responses: Responses
) -> APIRoute:
    if not dependencies and not responses:
        return route
    fields = {name: getattr(route, name) for name in _FIELDS}
    fields["dependencies"] = [*dependencies, *route.dependencies]
    fields["responses"] = {**responses, **route.responses}
    return type(route)(**fields)
