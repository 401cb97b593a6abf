"""The ASGI app: opens the ports once, mounts every surface, runs jobs, closes in order."""

import asyncio
import gc
from collections.abc import AsyncIterator, Iterable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext, suppress
from importlib.metadata import version
from time import monotonic

import structlog
from fastapi import FastAPI
from fastapi.routing import APIRoute

from remem.bootstrap import open_ports
from remem.core.errors import NO_ROOM, CannotStart, RememError, no_room
from remem.core.ports import Ports, Queue
from remem.core.time import now
from remem.owner import ensure_owner_key, find_owner, owner_link
from remem.settings import Settings
from remem.surfaces.hosts import HostCheck
from remem.surfaces.mcp.http import PATHS, McpEndpoint
from remem.surfaces.metrics.serve import PATH, collect_metrics, metrics_route
from remem.surfaces.public_path import PublicPath
from remem.surfaces.rest import errors
from remem.surfaces.rest.alias import Alias
from remem.surfaces.rest.limits import Limits
from remem.surfaces.rest.live import LiveFeeds
from remem.surfaces.rest.methods import Methods
from remem.surfaces.rest.readiness import readiness_of
from remem.surfaces.rest.router import rest_routes
from remem.surfaces.worker.run import work

# How long running jobs may take to finish. An interrupted job resumes after a restart from the
# stage it was in, so pressing Ctrl-C does not wait for a large document.
DRAIN_S = 5
REQUEUE_S = 6

log = structlog.get_logger()


def create_app(settings: Settings) -> FastAPI:
    """Create the whole server, which loads its model at startup."""
    app = create_rest(settings, rest_routes())
    app.state.loads_model = True
    _add_oauth(app)
    _add_mcp(app, settings)
    app.router.add_route(PATH, metrics_route, include_in_schema=False)
    _add_web(app)
    return app


def create_rest(settings: Settings, routes: Iterable[APIRoute]) -> FastAPI:
    """Create the REST API alone, or a part of it: what a client in the same process needs."""
    app = FastAPI(
        title="remem",
        summary="The memory of a person and of their AI assistants.",
        version=version("remem"),
        lifespan=_lifespan,
        docs_url=None,
        redoc_url=None,
        servers=[{"url": settings.public_path}] if settings.public_path else None,
    )
    app.state.settings = settings
    app.state.loads_model = app.state.serves_web = False
    app.state.owner = None
    # `Methods` redirects, because the router's addresses are wrong behind a proxy.
    app.router.redirect_slashes = False
    app.router.routes.extend(routes)
    errors.install(app)
    app.add_middleware(Methods)
    app.add_middleware(HostCheck, settings=settings)
    app.add_middleware(
        Limits,
        max_body_bytes=settings.max_body_bytes,
        max_upload_bytes=settings.max_upload_bytes,
        max_import_bytes=settings.max_import_bytes,
    )
    app.add_middleware(Alias)
    if settings.public_path:
        app.add_middleware(PublicPath, path=settings.public_path)
    return app


def _add_oauth(app: FastAPI) -> None:
    from remem.surfaces.oauth.router import oauth

    app.router.routes.extend(oauth())


def _add_mcp(app: FastAPI, settings: Settings) -> None:
    app.state.mcp = McpEndpoint(app, settings)
    for path in PATHS:
        app.router.add_route(path, app.state.mcp, include_in_schema=False)


def _add_web(app: FastAPI) -> None:
    from remem.surfaces.web.not_found import install
    from remem.surfaces.web.router import web

    app.router.routes.extend(web())
    install(app)
    app.state.serves_web = True


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    settings: Settings = app.state.settings
    try:
        async with open_ports(settings) as ports:
            app.state.ports, app.state.started_at = ports, now()
            app.state.owner_key = await ensure_owner_key(ports, settings)
            app.state.owner = await find_owner(ports, app.state.owner_key)
            if app.state.serves_web:
                app.state.sign_in_path = await owner_link(ports, app.state.owner)
            app.state.readiness = readiness_of(ports, settings)
            loading = asyncio.create_task(_load_model(ports)) if app.state.loads_model else None
            app.state.drain = Drain(ports.queue)
            app.state.live = LiveFeeds(ports)
            async with (
                collect_metrics(ports, settings) as app.state.metrics,
                _running_worker(ports, settings, app.state.drain),
                _mcp_sessions(app),
            ):
                yield
            if loading:
                loading.cancel()
            app.state.readiness.close()
    except CannotStart as error:
        app.state.failure = error.message
        raise
    except OSError as error:
        if error.errno in NO_ROOM:
            app.state.failure = no_room(error)
        raise


def _mcp_sessions(app: FastAPI) -> AbstractAsyncContextManager[None]:
    mcp: McpEndpoint | None = getattr(app.state, "mcp", None)
    return mcp.open() if mcp else nullcontext()


async def _load_model(ports: Ports) -> None:
    """Load the model in the background; if that fails, the first request that needs it gets the
    error. A remote model is skipped: it has nothing to load, and a call may cost money."""
    with suppress(RememError):
        if "embedding" not in ports.providers:
            await ports.embedder.embed_query("warm")
    # What is loaded by now is never freed; scanning it for garbage would delay every answer.
    gc.freeze()


class Drain:
    """Give running jobs `DRAIN_S` seconds, counted from the first request to stop the server, which
    comes before its last requests are answered."""

    def __init__(self, queue: Queue) -> None:
        self._queue = queue
        self._until: float | None = None

    def begin(self) -> float:
        """Stop taking new jobs and return the remaining seconds."""
        self._queue.drain()
        if self._until is None:
            self._until = monotonic() + DRAIN_S
        return max(0.0, self._until - monotonic())


@asynccontextmanager
async def _running_worker(ports: Ports, settings: Settings, drain: Drain) -> AsyncIterator[None]:
    """Work on jobs while the server runs; on exit, let running jobs finish."""
    if not settings.worker:
        yield
        return
    working = asyncio.create_task(work(ports, settings.worker_concurrency))
    try:
        yield
    finally:
        await asyncio.wait([working], timeout=drain.begin())
        if not working.done():
            # Nothing is lost: the job is requeued. So this is no warning when a command ends.
            log.info("worker_cut_short")
            working.cancel()
            await asyncio.wait([working], timeout=REQUEUE_S)
