"""Every router on one page: what needs no credential, and everything else."""

from fastapi import APIRouter, Depends

from remem.surfaces.rest import docs, health
from remem.surfaces.rest.deps import get_caller
from remem.surfaces.rest.v3 import account, documents, keys, memory, organizations, projects

V3 = (memory, documents, projects, account, keys, organizations)

PUBLIC = frozenset(
    {
        "/health",
        "/health/live",
        "/docs",
        "/docs/{name}",
        "/openapi.json",
        "/v3/auth/register",
        "/v3/auth/login",
    }
)


def rest() -> APIRouter:
    everything = APIRouter()
    everything.include_router(health.router)
    everything.include_router(docs.router)
    everything.include_router(account.public, prefix="/v3")
    for module in V3:
        everything.include_router(module.router, prefix="/v3", dependencies=[Depends(get_caller)])
    return everything
