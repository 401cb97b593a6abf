"""Every router on one page: what needs no credential, and everything else."""

from typing import Any

from fastapi import APIRouter, Depends, Security
from fastapi.security import HTTPBearer

from remem.surfaces.rest import docs, health
from remem.surfaces.rest.agent import account as agent_account
from remem.surfaces.rest.agent import browse as agent_browse
from remem.surfaces.rest.agent import changes as agent_changes
from remem.surfaces.rest.agent import derive as agent_derive
from remem.surfaces.rest.agent import keys as agent_keys
from remem.surfaces.rest.agent import memories as agent_memories
from remem.surfaces.rest.agent import projects as agent_projects
from remem.surfaces.rest.agent import search as agent_search
from remem.surfaces.rest.deps import get_caller
from remem.surfaces.rest.shapes import Problem
from remem.surfaces.rest.v1 import containers as v1_containers
from remem.surfaces.rest.v1 import documents as v1_documents
from remem.surfaces.rest.v1 import memories as v1_memories
from remem.surfaces.rest.v1 import profile as v1_profile
from remem.surfaces.rest.v1 import search as v1_search
from remem.surfaces.rest.v3 import (
    account,
    documents,
    grants,
    graph,
    jobs,
    keys,
    lookup,
    memory,
    organizations,
    projects,
    recall,
    transfer,
    uploads,
)

V3 = (
    memory,
    recall,
    uploads,
    documents,
    lookup,
    jobs,
    graph,
    projects,
    account,
    keys,
    grants,
    organizations,
    transfer,
)
V1 = (v1_documents, v1_memories, v1_search, v1_profile, v1_containers)
# What has a name of its own goes before what takes an id in the same place.
AGENT = (
    agent_browse,
    agent_search,
    agent_memories,
    agent_changes,
    agent_derive,
    agent_projects,
    agent_keys,
    agent_account,
)

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
    }
)

# What the documentation says of every route; `get_caller` is what decides.
_KEY = HTTPBearer(
    auto_error=False,
    scheme_name="key",
    description="An API key, `mc_…`, or a client's token, `mct_…`.",
)
_PROBLEMS: dict[int | str, dict[str, Any]] = {
    "4XX": {"model": Problem, "description": "What is wrong, and what to do."},
    503: {"model": Problem, "description": "Something remem needs is down; try again later."},
}


def rest() -> APIRouter:
    everything = APIRouter(responses=_PROBLEMS)
    everything.include_router(health.router)
    everything.include_router(docs.router)
    everything.include_router(account.public)
    denied_by_default = [Depends(get_caller), Security(_KEY)]
    for module in (*V3, *V1, *AGENT):
        everything.include_router(module.router, dependencies=denied_by_default)
    return everything
