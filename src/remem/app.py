"""ASGI: opens the ports once, mounts every door, works on jobs, closes in order."""

import asyncio
import gc
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from importlib.metadata import version

import structlog
from fastapi import FastAPI

from remem.bootstrap import ensure_owner_key, open_ports
from remem.core.errors import CannotStart, RememError
from remem.core.ports import Ports
from remem.settings import Settings
from remem.surfaces.hosts import HostCheck
from remem.surfaces.mcp.http import PATHS, Door
from remem.surfaces.oauth.router import oauth
from remem.surfaces.rest import errors
from remem.surfaces.rest.limits import Limits
from remem.surfaces.rest.methods import Methods
from remem.surfaces.rest.readiness import readiness_of
from remem.surfaces.rest.router import rest
from remem.surfaces.worker.run import work

# How long running jobs may take to finish; what is cut short is done again after a restart.
DRAIN_S = 20
PUT_BACK_S = 6

log = structlog.get_logger()


def create_app(settings: Settings, *, loads_model: bool = True) -> FastAPI:
    """`loads_model`: at the start, before anybody asks for what needs it."""
    app = FastAPI(
        title="remem",
        summary="The memory of a person and of their AI assistants.",
        version=version("remem"),
        lifespan=_lifespan,
        docs_url=None,
        redoc_url=None,
    )
    app.state.settings = settings
    app.state.loads_model = loads_model
    app.include_router(rest())
    app.include_router(oauth())
    app.state.door = Door(app, settings)
    for path in PATHS:
        app.router.add_route(path, app.state.door, include_in_schema=False)
    errors.install(app)
    app.add_middleware(Methods)
    app.add_middleware(HostCheck, settings=settings)
    app.add_middleware(
        Limits,
        max_body_bytes=settings.max_body_bytes,
        max_upload_bytes=settings.max_upload_bytes,
        max_import_bytes=settings.max_import_bytes,
    )
    return app


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    settings: Settings = app.state.settings
    try:
        async with open_ports(settings) as ports:
            app.state.ports = ports
            app.state.owner_key = await ensure_owner_key(ports, settings)
            app.state.readiness = readiness_of(ports, settings)
            loading = asyncio.create_task(_warm(ports)) if app.state.loads_model else None
            async with _working(ports, settings), app.state.door.open():
                yield
            if loading:
                loading.cancel()
            app.state.readiness.close()
    except CannotStart as error:
        app.state.failure = error.message
        raise


async def _warm(ports: Ports) -> None:
    """Load the model while nobody waits for it; whoever asks for it first hears of trouble."""
    with suppress(RememError):
        await ports.embedder.embed_query("warm")
    # What is loaded by now stays: to look through it for garbage would hold up every answer.
    gc.freeze()


@asynccontextmanager
async def _working(ports: Ports, settings: Settings) -> AsyncIterator[None]:
    """Work on jobs beside the requests; on the way out, let what runs finish."""
    if not settings.worker:
        yield
        return
    working = asyncio.create_task(work(ports, settings.worker_concurrency))
    try:
        yield
    finally:
        ports.queue.drain()
        await asyncio.wait([working], timeout=DRAIN_S)
        if not working.done():
            log.warning("worker_cut_short")
            working.cancel()
            await asyncio.wait([working], timeout=PUT_BACK_S)
