"""Every router on one page: what needs no credential, and everything else, by dialect.

A dialect's modules are imported when it is asked for: a command in its own process speaks one."""

import re
from collections.abc import Callable, Mapping
from functools import cache, partial

from fastapi import APIRouter, Depends, Security
from fastapi.routing import APIRoute
from fastapi.security import HTTPBearer

from remem.surfaces.rest import admin, docs, health
from remem.surfaces.rest.deps import get_caller
from remem.surfaces.rest.shapes import Problem
from remem.surfaces.routes import Responses, routes_of

Routers = tuple[APIRouter, ...]

PUBLIC = frozenset(
    {
        "/health",
        "/health/live",
        "/health/ready",
        "/docs",
        "/docs/{name}",
        "/openapi.json",
        "/v3/auth/register",
        "/v3/auth/login",
        "/v3/auth/options",
        "/v3/connections/{provider}/callback",
        "/v3/webhooks/{provider}/{hook}",
        # With a key of their own.
        "/admin/tenants",
        "/admin/tenants/{id}",
    }
)

# What the documentation says of every route; `get_caller` is what decides.
_KEY = HTTPBearer(
    auto_error=False,
    scheme_name="key",
    description="An API key, `mc_…`, or a client's token, `mct_…`.",
)
_PROBLEMS: Responses = {
    "4XX": {"model": Problem, "description": "What is wrong, and what to do."},
    503: {"model": Problem, "description": "Something remem needs is down; try again later."},
}


def _v3() -> tuple[Routers, Routers]:
    from remem.surfaces.rest.v3 import (
        account,
        browsers,
        bulk,
        connections,
        consent,
        counts,
        documents,
        extension,
        grants,
        graph,
        jobs,
        keys,
        live,
        lookup,
        memory,
        models,
        organizations,
        projects,
        recall,
        samples,
        transfer,
        uploads,
        webhooks,
    )

    modules = (
        memory, recall, uploads, documents, bulk, lookup, jobs, graph, projects, account, counts,
        live, keys, browsers, grants, organizations, transfer, samples, models, connections,
        extension, consent, webhooks,
    )  # fmt: skip
    public = (account.public, browsers.public, consent.public, webhooks.public)
    return public, tuple(module.router for module in modules)


def _v1() -> tuple[Routers, Routers]:
    from remem.surfaces.rest.v1 import containers, documents, memories, profile, search

    modules = (documents, memories, search, profile, containers)
    return (), tuple(module.router for module in modules)


def _api() -> tuple[Routers, Routers]:
    from remem.surfaces.rest.agent import (
        account,
        ask,
        browse,
        changes,
        derive,
        evolve,
        feeds,
        keys,
        memories,
        projects,
        search,
        sessions,
    )

    # What has a name of its own goes before what takes an id in the same place.
    modules = (
        browse,
        search,
        memories,
        changes,
        derive,
        projects,
        sessions,
        ask,
        evolve,
        feeds,
        keys,
        account,
    )
    return (), tuple(module.router for module in modules)


_CLAUSE = re.compile(r"(.+?)(?:[.:;](?= |$)|$)")
# By the first part of their paths: the open routes of each, and those that need a credential.
DIALECTS: Mapping[str, Callable[[], tuple[Routers, Routers]]] = {"v3": _v3, "v1": _v1, "api": _api}


@cache
def rest(dialects: tuple[str, ...] = tuple(DIALECTS)) -> tuple[APIRoute, ...]:
    """The routes of some dialects, and those that are part of every server."""
    with_problems = partial(routes_of, responses=_PROBLEMS)
    denied_by_default = [Depends(get_caller), Security(_KEY)]
    routes = [*with_problems((_summarised(health.router), docs.router, _summarised(admin.router)))]
    for name in dialects:
        open_to_all, guarded = (map(_summarised, routers) for routers in DIALECTS[name]())
        routes += with_problems(open_to_all)
        routes += with_problems(guarded, dependencies=denied_by_default)
    return tuple(routes)


def _summarised(router: APIRouter) -> APIRouter:
    """Operations are summed up by what their documentation says first, not by their function."""
    for route in router.routes:
        if isinstance(route, APIRoute):
            found = _CLAUSE.match(" ".join(route.description.split()))
            route.summary = found[1] if found else route.summary
    return router
