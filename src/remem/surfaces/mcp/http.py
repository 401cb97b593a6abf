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
from remem.surfaces.vouched import vouched

if TYPE_CHECKING:
    from remem.surfaces.mcp.hall import Hall

PATHS = ("/mcp", "/mcp/{toolset}")


class Door:
    """Loads the protocol with the first request: most processes never speak it."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app, self._settings = app, settings
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
        try:
            caller = await self._admit(request)
        except Unauthenticated as error:
            await self._refuse(request, error)(scope, receive, send)
            return
        toolset = _toolset(request)
        inside = httpx2.ASGITransport(app=vouched(self._app, caller))
        memory = AsyncRemem("http://remem.local", transport=inside, patience_s=0)
        request.state.memory = memory
        ports = request.app.state.ports
        request.state.spend = partial(spend, ports, self._settings, request, caller)
        try:
            hall = await self._hall(toolset)
            await hall.answer(request, receive, send)
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


def _stands(hall: "asyncio.Task[Hall]") -> bool:
    return hall.done() and not hall.cancelled() and hall.exception() is None
