"""Liveness and readiness of the server."""

from collections.abc import Mapping
from importlib.metadata import version

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, Field

from remem.surfaces.rest.readiness import DEGRADED, OK

_VERSION = version("remem")
router = APIRouter(tags=["health"])


class Health(BaseModel):
    status: str
    checks: dict[str, str]
    version: str = Field(description="The version of the server.")
    retry_in_s: dict[str, int] = Field(
        default={}, description="The seconds until each paused provider is called again."
    )


@router.get("/health", response_model=Health, responses={503: {"model": Health}})
async def health(request: Request, response: Response) -> Health:
    """200 `ok` when every check passes, 200 `degraded` when a model provider fails, 503 when the
    server cannot serve; `checks` name what is wrong. Needs no credential."""
    readiness = request.app.state.readiness
    checks = await readiness.report()
    status = _overall(checks)
    response.status_code = 503 if status == "unavailable" else 200
    retry_in_s = readiness.retry_in_s()
    return Health(status=status, checks=checks, version=_VERSION, retry_in_s=retry_in_s)


def _overall(checks: Mapping[str, str]) -> str:
    states = set(checks.values())
    if states <= {OK}:
        return "ok"
    return "degraded" if states <= {OK, *DEGRADED} else "unavailable"


@router.get("/health/ready", response_model=Health, responses={503: {"model": Health}})
async def ready(request: Request, response: Response) -> Health:
    """The same as /health, under the name that orchestrators use."""
    return await health(request, response)


@router.get("/health/live", response_model=Health)
async def live() -> Health:
    """200 while the process responds, whatever the state of its dependencies."""
    return Health(status="ok", checks={}, version=_VERSION)
