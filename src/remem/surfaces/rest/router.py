"""All routers: the public ones, and the authenticated ones by dialect.

The modules of a dialect are imported on demand, because a command that runs the server in its own
process uses only one."""

import re
from collections.abc import Callable, Mapping
from functools import cache, partial

from fastapi import APIRouter, Depends, Security
from fastapi.routing import APIRoute
from fastapi.security import HTTPBearer

from remem.surfaces.address import AGENT_CARDS
from remem.surfaces.rest import admin, agent_card, docs, health
from remem.surfaces.rest.deps import get_caller
from remem.surfaces.rest.shapes import Problem
from remem.surfaces.routes import Responses, collect_routes

Routers = tuple[APIRouter, ...]

PUBLIC = frozenset(
    {
        "/health",
        "/health/live",
        "/health/ready",
        "/docs",
        "/docs/{name}",
        "/openapi.json",
        *AGENT_CARDS,
        "/v3/auth/register",
        "/v3/auth/login",
        "/v3/auth/options",
        "/v3/connections/{provider}/callback",
        "/v3/webhooks/{provider}/{hook}",
        "/calendar/{secret}",
        # Protected by the operator's key.
        "/admin/tenants",
        "/admin/tenants/{id}",
    }
)

# Documents the credential; `get_caller` enforces it.
_KEY = HTTPBearer(
    auto_error=False,
    scheme_name="key",
    description="An API key, `mc_…`, or a client's token, `mct_…`.",
)
_PROBLEMS: Responses = {
    "4XX": {"model": Problem, "description": "What is wrong and how to fix it."},
    503: {
        "model": Problem,
        "description": "A service that remem needs is unavailable; try again later.",
    },
}


def _v3() -> tuple[Routers, Routers]:
    from remem.surfaces.rest.v3 import (
        account,
        browsers,
        bulk,
        calendars,
        checkup,
        connections,
        consent,
        copies,
        counts,
        deliveries,
        documents,
        entities,
        extension,
        grants,
        graph,
        highlights,
        instructions,
        jobs,
        keys,
        live,
        lookup,
        memory,
        models,
        organizations,
        pasted_profile,
        projects,
        recall,
        samples,
        server,
        transfer,
        trash,
        uploads,
        webhooks,
    )

    modules = (
        memory, recall, uploads, documents, bulk, lookup, jobs, graph, projects, account, counts,
        live, keys, browsers, grants, organizations, transfer, samples, models, connections,
        extension, consent, webhooks, server, trash, instructions, calendars, deliveries, entities,
        pasted_profile, highlights, copies, checkup,
    )  # fmt: skip
    public = (
        account.public, browsers.public, consent.public, webhooks.public, calendars.public,
    )  # fmt: skip
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
        contradictions,
        derive,
        diagnostics,
        evolve,
        feeds,
        keys,
        memories,
        projects,
        prompt,
        search,
        sessions,
    )

    # Routes with a literal path precede those with an id in the same place.
    modules = (
        browse,
        contradictions,
        search,
        memories,
        changes,
        derive,
        projects,
        sessions,
        ask,
        prompt,
        diagnostics,
        evolve,
        feeds,
        keys,
        account,
    )
    return (), tuple(module.router for module in modules)


_FIRST_CLAUSE = re.compile(r"(.+?)(?:[.:;](?= |$)|$)")
# By path prefix: the public routes of each dialect, and those that need a credential.
DIALECTS: Mapping[str, Callable[[], tuple[Routers, Routers]]] = {"v3": _v3, "v1": _v1, "api": _api}


@cache
def rest_routes(dialects: tuple[str, ...] = tuple(DIALECTS)) -> tuple[APIRoute, ...]:
    """Return the routes of the given dialects and those of every server."""
    with_problems = partial(collect_routes, responses=_PROBLEMS)
    dependencies = [Depends(get_caller), Security(_KEY)]
    public = map(_with_summaries, (health.router, agent_card.router, docs.router, admin.router))
    routes = [*with_problems(public)]
    for name in dialects:
        public, guarded = (map(_with_summaries, routers) for routers in DIALECTS[name]())
        routes += with_problems(public)
        routes += with_problems(guarded, dependencies=dependencies)
    return tuple(routes)


def _with_summaries(router: APIRouter) -> APIRouter:
    """Use the first clause of each docstring as the summary of its operation."""
    for route in router.routes:
        if isinstance(route, APIRoute):
            match = _FIRST_CLAUSE.match(" ".join(route.description.split()))
            route.summary = match[1] if match else route.summary
    return router
