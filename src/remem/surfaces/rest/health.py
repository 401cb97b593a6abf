"""Whether the server lives, and whether it can do its work."""

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel

from remem.surfaces.rest.readiness import OK

router = APIRouter(tags=["health"])


class Health(BaseModel):
    status: str
    checks: dict[str, str]


@router.get("/health", response_model=Health, responses={503: {"model": Health}})
async def health(request: Request, response: Response) -> Health:
    """200 when everything answers, 503 naming what does not. Needs no credential."""
    checks = await request.app.state.readiness.report()
    ready = all(state == OK for state in checks.values())
    response.status_code = 200 if ready else 503
    return Health(status="ok" if ready else "unavailable", checks=checks)


@router.get("/health/ready", response_model=Health, responses={503: {"model": Health}})
async def ready(request: Request, response: Response) -> Health:
    """The same as /health, by the name that orchestrators use."""
    return await health(request, response)


@router.get("/health/live", response_model=Health)
async def live() -> Health:
    """200 while the process answers, whatever the state of what it needs."""
    return Health(status="ok", checks={})
