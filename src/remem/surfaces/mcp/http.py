"""MCP over HTTP: /mcp and /mcp/<toolset>, as clients of the API in the same process."""

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
from remem.surfaces.credentials import authenticate_request
from remem.surfaces.rate_limits import check_rate_limit
from remem.surfaces.toolsets import TOOLSETS, is_toolset
from remem.surfaces.trusted_caller import trusted_caller

if TYPE_CHECKING:
    from remem.surfaces.mcp.toolset_server import ToolsetServer

PATHS = ("/mcp", "/mcp/{toolset}")


class McpEndpoint:
    """The ASGI app of MCP. The first request loads the SDK, which most processes never need."""

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
        request = Request({**scope, "headers": _clean_headers(scope["headers"])}, receive)
        try:
            caller = await self._authenticate(request)
        except Unauthenticated as error:
            await self._unauthorized(request, error)(scope, receive, send)
            return
        toolset = _toolset(request)
        transport = httpx2.ASGITransport(app=trusted_caller(self._app, caller))
        memory = AsyncRemem("http://remem.local", transport=transport, patience_s=0)
        request.state.memory = memory
        ports = request.app.state.ports
        request.state.check_rate_limit = partial(
            check_rate_limit, ports, self._settings, request, caller
        )
        try:
            server = await self._server(toolset)
            await server.answer(request, receive, send)
        finally:
            await memory.close()

    async def _authenticate(self, request: Request) -> Caller:
        """Accept all credentials of the API except cookies, which web pages could abuse."""
        caller = await authenticate_request(request.app.state.ports, self._settings, request)
        if caller is None:
            raise Unauthenticated(
                "No credential came with this request; send `Authorization: Bearer <key>`."
            )
        return caller

    def _unauthorized(self, request: Request, error: Unauthenticated) -> Response:
        body = {"error": error.message, "code": error.code}
        return JSONResponse(body, 401, challenge(self._settings, request, error))

    async def _server(self, toolset: str | None) -> "ToolsetServer":
        task = self._servers.get(toolset)
        if task is None or (task.done() and not _is_started(task)):
            self._servers[toolset] = asyncio.create_task(self._start(toolset))
        return await asyncio.shield(self._servers[toolset])

    async def _start(self, toolset: str | None) -> "ToolsetServer":
        server = await asyncio.to_thread(import_module, "remem.surfaces.mcp.toolset_server")
        return await server.ToolsetServer(toolset, self._settings.max_body_bytes).open()


def _clean_headers(headers: list[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    """Strip whitespace around values, which some servers do not remove, and drop cookies, which
    browsers send automatically."""
    return [(name, value.strip(b" \t")) for name, value in headers if name != b"cookie"]


def _toolset(request: Request) -> str | None:
    name = request.path_params.get("toolset")
    if name is not None and not is_toolset(name):
        raise NotFound(f"toolset of that name (there are {', '.join(TOOLSETS)})")
    return name


def _is_started(server: "asyncio.Task[ToolsetServer]") -> bool:
    return server.done() and not server.cancelled() and server.exception() is None
