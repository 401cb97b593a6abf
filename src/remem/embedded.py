"""Run the whole server in this process, as the transport of a client."""

import asyncio
from collections.abc import AsyncIterator, MutableMapping
from typing import Any

import httpx2
import structlog
from fastapi import FastAPI
from starlette.types import Receive, Scope, Send

from remem.app import create_rest
from remem.logs import configure
from remem.settings import Settings, load
from remem.surfaces.rest.router import DIALECTS, rest_routes

# The rate limits protect a shared server; a local process needs none.
_UNLIMITED = 1_000_000_000
# This response may not fit into memory, so it is streamed.
_STREAMED_PATH = "/v3/export"
_MAX_QUEUED_BLOCKS = 4


class Embedded:
    def __init__(self, settings: Settings | None = None) -> None:
        base = settings or load()
        # A program that has not configured structlog gets only warnings and errors, on stderr.
        if not structlog.is_configured():
            configure(base, quiet=True)
        # No network can reach it, so there is no host name to check.
        overrides = {
            "rate_limit": _UNLIMITED,
            "user_rate_limit": _UNLIMITED,
            "allowed_hosts": ["*"],
        }
        # No other request waits for its analysis, and processes would slow a short command down.
        overrides |= {"analysis_processes": 0}
        self._app = create_rest(base.model_copy(update=overrides), rest_routes(()))
        self._lifespan = self._app.router.lifespan_context(self._app)

    async def open(self) -> tuple[httpx2.ASGITransport, str | None]:
        """Start everything; return the transport and the owner's key."""
        await self._lifespan.__aenter__()
        return _StreamingTransport(app=_LazyDialects(self._app)), self._app.state.owner_key

    async def close(self) -> None:
        await self._lifespan.__aexit__(None, None, None)


class _LazyDialects:
    """Load each dialect on its first request: most commands use one."""

    def __init__(self, app: FastAPI) -> None:
        self._app = app
        self._apps: dict[str, FastAPI] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._dialect_app(scope["path"].split("/")[1])(scope, receive, send)

    def _dialect_app(self, dialect: str) -> FastAPI:
        if dialect not in DIALECTS:
            return self._app
        if dialect not in self._apps:
            part = create_rest(self._app.state.settings, rest_routes((dialect,)))
            part.state = self._app.state
            self._apps[dialect] = part
        return self._apps[dialect]


class _StreamingTransport(httpx2.ASGITransport):
    """Stream the export; the library's own transport buffers the whole response."""

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        if request.url.path != _STREAMED_PATH:
            return await super().handle_async_request(request)
        reply = _Reply()
        reply.task = asyncio.create_task(self._answer(request, reply))
        started = asyncio.create_task(reply.started.wait())
        await asyncio.wait([reply.task, started], return_when=asyncio.FIRST_COMPLETED)
        if not reply.started.is_set():
            started.cancel()
            reply.task.result()
        return httpx2.Response(reply.status, headers=reply.headers, stream=reply)

    async def _answer(self, request: httpx2.Request, reply: "_Reply") -> None:
        scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": request.method,
            "headers": [(name.lower(), value) for name, value in request.headers.raw],
            "scheme": request.url.scheme,
            "path": request.url.path,
            "raw_path": request.url.raw_path.split(b"?")[0],
            "query_string": request.url.query,
            "server": (request.url.host, request.url.port),
            "client": self.client,
            "root_path": self.root_path,
        }
        try:
            await self.app(scope, reply.receive, reply.send)
        finally:
            await reply.blocks.put(None)


class _Reply(httpx2.AsyncByteStream):
    """A response in progress: the server waits while too many blocks are unread."""

    def __init__(self) -> None:
        self.blocks: asyncio.Queue[bytes | None] = asyncio.Queue(_MAX_QUEUED_BLOCKS)
        self.started = asyncio.Event()
        self.status = 0
        self.headers: list[tuple[bytes, bytes]] = []
        self.task: asyncio.Task[None] | None = None
        self._body_sent = False

    async def receive(self) -> dict[str, Any]:
        if self._body_sent:
            await asyncio.Event().wait()
        self._body_sent = True
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(self, message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            self.status, self.headers = message["status"], list(message.get("headers", []))
            self.started.set()
        elif block := message.get("body", b""):
            await self.blocks.put(block)

    async def __aiter__(self) -> AsyncIterator[bytes]:
        while (block := await self.blocks.get()) is not None:
            yield block
        if self.task:
            await self.task

    async def aclose(self) -> None:
        if self.task and not self.task.done():
            self.task.cancel()
            await asyncio.wait([self.task])
