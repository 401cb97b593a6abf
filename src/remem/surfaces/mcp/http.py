"""MCP over HTTP: /mcp and /mcp/<toolset>, in front of the same API in the same process."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from importlib import import_module
from typing import TYPE_CHECKING, TypeAlias

import httpx2
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from remem.client import AsyncRemem
from remem.core.errors import NotFound, Unauthenticated
from remem.settings import Settings
from remem.surfaces.mcp.origins import check_origin
from remem.surfaces.mcp.toolsets import TOOLSETS

if TYPE_CHECKING:
    from remem.surfaces.mcp.hall import Hall

PATHS = ("/mcp", "/mcp/{toolset}")

# Looks at the credential of a request as the API would, and gives it as a key for the API.
Admit: TypeAlias = Callable[[Request], Awaitable[str]]


def challenge(request: Request) -> str:
    """What WWW-Authenticate says at this door: how to get a credential for it."""
    return 'Bearer realm="remem"'


class Door:
    """Loads the protocol with the first request: most processes never speak it."""

    def __init__(self, app: ASGIApp, settings: Settings, admit: Admit) -> None:
        self._inside = httpx2.ASGITransport(app=app)
        self._settings, self._admit = settings, admit
        self._halls: dict[str | None, asyncio.Task[Hall]] = {}

    @asynccontextmanager
    async def open(self) -> AsyncIterator[None]:
        try:
            yield
        finally:
            halls = [hall.result() for hall in self._halls.values() if _stands(hall)]
            await asyncio.gather(*(hall.close() for hall in halls))
            self._halls.clear()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request({**scope, "headers": _sound(scope["headers"])}, receive)
        check_origin(request.headers.get("host", ""), request.headers.get("origin"), self._settings)
        toolset = _toolset(request)
        try:
            key = await self._admit(request)
        except Unauthenticated as error:
            await _refuse(request, error)(scope, receive, send)
            return
        memory = AsyncRemem("http://remem.local", key, transport=self._inside)
        request.state.memory = memory
        try:
            hall = await self._hall(toolset)
            await hall.answer(request, receive, send)
        finally:
            await memory.close()

    async def _hall(self, toolset: str | None) -> "Hall":
        known = self._halls.get(toolset)
        if known is None or (known.done() and not _stands(known)):
            self._halls[toolset] = asyncio.create_task(self._furnish(toolset))
        return await asyncio.shield(self._halls[toolset])

    async def _furnish(self, toolset: str | None) -> "Hall":
        hall = await asyncio.to_thread(import_module, "remem.surfaces.mcp.hall")
        return await hall.Hall(toolset, self._settings.max_body_bytes).open()


def _sound(headers: list[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    """Without the space around a value, which is no part of it and not every server takes off;
    and without cookies, which a browser sends by itself."""
    return [(name, value.strip(b" \t")) for name, value in headers if name != b"cookie"]


def _toolset(request: Request) -> str | None:
    name = request.path_params.get("toolset")
    if name is not None and name not in TOOLSETS:
        raise NotFound(f"toolset of that name (there are {', '.join(TOOLSETS)})")
    return name


def _refuse(request: Request, error: Unauthenticated) -> Response:
    body = {"error": error.message, "code": error.code}
    return JSONResponse(body, 401, {"WWW-Authenticate": challenge(request)})


def _stands(hall: "asyncio.Task[Hall]") -> bool:
    return hall.done() and not hall.cancelled() and hall.exception() is None
