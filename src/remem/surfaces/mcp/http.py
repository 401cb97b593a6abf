"""MCP over HTTP: /mcp and /mcp/<toolset>, in front of the same API in the same process."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING

import httpx2
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from remem.client import AsyncRemem
from remem.core.errors import NotFound, Unauthenticated
from remem.core.scope import Scope as Caller
from remem.settings import Settings
from remem.surfaces.challenge import challenge
from remem.surfaces.counting import spend
from remem.surfaces.credentials import recognise_shown
from remem.surfaces.mcp.toolsets import TOOLSETS
from remem.surfaces.trusted_caller import trusted_caller

if TYPE_CHECKING:
    from remem.surfaces.mcp.toolset_server import ToolsetServer

PATHS = ("/mcp", "/mcp/{toolset}")


class McpEndpoint:
    """Loads the protocol with the first request: most processes never speak it."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app, self._settings = app, settings
        self._servers: dict[str | None, asyncio.Task[ToolsetServer]] = {}

    @asynccontextmanager
    async def open(self) -> AsyncIterator[None]:
        try:
            yield
        finally:
            servers = [server.result() for server in self._servers.values() if _is_started(server)]
            await asyncio.gather(*(server.close() for server in servers))
            self._servers.clear()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request({**scope, "headers": _sound(scope["headers"])}, receive)
        try:
            caller = await self._admit(request)
        except Unauthenticated as error:
            await self._refuse(request, error)(scope, receive, send)
            return
        toolset = _toolset(request)
        inside = httpx2.ASGITransport(app=trusted_caller(self._app, caller))
        memory = AsyncRemem("http://remem.local", transport=inside, patience_s=0)
        request.state.memory = memory
        ports = request.app.state.ports
        request.state.spend = partial(spend, ports, self._settings, request, caller)
        try:
            server = await self._server(toolset)
            await server.answer(request, receive, send)
        finally:
            await memory.close()

    async def _admit(self, request: Request) -> Caller:
        """Every credential the API takes, but no cookie: a page's own must not speak here."""
        caller = await recognise_shown(request.app.state.ports, self._settings, request)
        if caller is None:
            raise Unauthenticated(
                "No credential came with this request; send `Authorization: Bearer <key>`."
            )
        return caller

    def _refuse(self, request: Request, error: Unauthenticated) -> Response:
        body = {"error": error.message, "code": error.code}
        return JSONResponse(body, 401, challenge(self._settings, request, error))

    async def _server(self, toolset: str | None) -> "ToolsetServer":
        known = self._servers.get(toolset)
        if known is None or (known.done() and not _is_started(known)):
            self._servers[toolset] = asyncio.create_task(self._start(toolset))
        return await asyncio.shield(self._servers[toolset])

    async def _start(self, toolset: str | None) -> "ToolsetServer":
        server = await asyncio.to_thread(import_module, "remem.surfaces.mcp.toolset_server")
        return await server.ToolsetServer(toolset, self._settings.max_body_bytes).open()


def _sound(headers: list[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    """Without the space around a value, which is no part of it and not every server takes off;
    and without cookies, which a browser sends by itself."""
    return [(name, value.strip(b" \t")) for name, value in headers if name != b"cookie"]


def _toolset(request: Request) -> str | None:
    name = request.path_params.get("toolset")
    if name is not None and name not in TOOLSETS:
        raise NotFound(f"toolset of that name (there are {', '.join(TOOLSETS)})")
    return name


def _is_started(server: "asyncio.Task[ToolsetServer]") -> bool:
    return server.done() and not server.cancelled() and server.exception() is None
