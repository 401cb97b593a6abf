"""The whole server in this process, as the transport of a client."""

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
from remem.surfaces.rest.router import DIALECTS, rest

# A person's own process is not rationed by the limit that guards a shared server.
_UNLIMITED = 1_000_000_000
# What is given out whole, and would not fit into memory.
_STREAMED = "/v3/export"
_BLOCKS_WAITING = 4


class Embedded:
    def __init__(self, settings: Settings | None = None) -> None:
        base = settings or load()
        # A program that has nothing to do with our logs gets trouble only, and on stderr.
        if not structlog.is_configured():
            configure(base, quiet=True)
        # Nobody reaches it by a network, so there is no name to check.
        own = {"rate_limit": _UNLIMITED, "user_rate_limit": _UNLIMITED, "allowed_hosts": ["*"]}
        # Nobody else waits for its analysis, and processes would make a short command longer.
        own |= {"analysis_processes": 0}
        self._app = create_rest(base.model_copy(update=own), rest(()))
        self._lifespan = self._app.router.lifespan_context(self._app)

    async def open(self) -> tuple[httpx2.ASGITransport, str | None]:
        """Start everything and give a way in, with the owner's key."""
        await self._lifespan.__aenter__()
        return _InProcess(app=_ByDialect(self._app)), self._app.state.owner_key

    async def close(self) -> None:
        await self._lifespan.__aexit__(None, None, None)


class _ByDialect:
    """Each dialect is loaded when it is first spoken: most commands speak one."""

    def __init__(self, app: FastAPI) -> None:
        self._app = app
        self._parts: dict[str, FastAPI] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._part(scope["path"].split("/")[1])(scope, receive, send)

    def _part(self, dialect: str) -> FastAPI:
        if dialect not in DIALECTS:
            return self._app
        if dialect not in self._parts:
            part = create_rest(self._app.state.settings, rest((dialect,)))
            part.state = self._app.state
            self._parts[dialect] = part
        return self._parts[dialect]


class _InProcess(httpx2.ASGITransport):
    """The library's own transport keeps a reply back until it is whole."""

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        if request.url.path != _STREAMED:
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
    """A reply on its way: the server waits when too much of it is not read."""

    def __init__(self) -> None:
        self.blocks: asyncio.Queue[bytes | None] = asyncio.Queue(_BLOCKS_WAITING)
        self.started = asyncio.Event()
        self.status = 0
        self.headers: list[tuple[bytes, bytes]] = []
        self.task: asyncio.Task[None] | None = None
        self._asked = False

    async def receive(self) -> dict[str, Any]:
        if self._asked:
            await asyncio.Event().wait()
        self._asked = True
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
