"""One list of routes out of many routers.

Where a router includes another, FastAPI looks for the route of a request twice at each level, and
builds the routes again for each level that asks for them. In one list it is looked for once."""

from collections.abc import Iterable, Iterator, Sequence
from inspect import signature
from typing import Any, TypeAlias

from fastapi import APIRouter
from fastapi.params import Depends
from fastapi.routing import APIRoute

Responses: TypeAlias = dict[int | str, dict[str, Any]]
_FIELDS = tuple(signature(APIRoute).parameters)


def routes_of(
    routers: Iterable[APIRouter],
    *,
    dependencies: Sequence[Depends] = (),
    responses: Responses | None = None,
) -> Iterator[APIRoute]:
    """The routes of all of them, each with these dependencies and responses besides its own."""
    for router in routers:
        for route in router.routes:
            # A router that includes another has the routes of that one nowhere.
            assert isinstance(route, APIRoute), f"{route} is not a route of its own"
            yield _with(route, dependencies, responses or {})


def _with(route: APIRoute, dependencies: Sequence[Depends], responses: Responses) -> APIRoute:
    if not dependencies and not responses:
        return route
    fields = {name: getattr(route, name) for name in _FIELDS}
    fields["dependencies"] = [*dependencies, *route.dependencies]
    fields["responses"] = {**responses, **route.responses}
    return type(route)(**fields)
