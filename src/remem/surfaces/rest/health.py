"""Whether the server lives, and whether it can do its work."""

import asyncio
from collections.abc import Awaitable

from fastapi import APIRouter, Response
from pydantic import BaseModel

from remem.core.errors import RememError
from remem.surfaces.rest.deps import PortsDep

router = APIRouter(tags=["health"])
TIMEOUT_S = 5


class Health(BaseModel):
    status: str
    checks: dict[str, str]


@router.get("/health", response_model=Health, responses={503: {"model": Health}})
async def health(ports: PortsDep, response: Response) -> Health:
    """200 when everything answers, 503 naming what does not. Needs no credential."""
    database, queue, embedding = await asyncio.gather(
        _check(ports.db.ping()),
        _check(ports.queue.depth()),
        _check(ports.embedder.embed_query("health")),
    )
    checks = {"database": database, "queue": queue, "embedding": embedding}
    ready = all(state == "ok" for state in checks.values())
    response.status_code = 200 if ready else 503
    return Health(status="ok" if ready else "unavailable", checks=checks)


@router.get("/health/live", response_model=Health)
async def live() -> Health:
    """200 while the process answers, whatever the state of what it needs."""
    return Health(status="ok", checks={})


async def _check(probe: Awaitable[object]) -> str:
    try:
        await asyncio.wait_for(probe, TIMEOUT_S)
        return "ok"
    except TimeoutError:
        return "no answer"
    except RememError as error:
        return error.code
    except Exception as error:
        return type(error).__name__
