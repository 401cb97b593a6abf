"""The MCP servers of one toolset, running as long as the process."""

import asyncio
from contextvars import Context
from typing import Any

from mcp.server.context import ServerRequestContext
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Send

from remem.client import AsyncRemem
from remem.core.errors import RateLimited
from remem.surfaces.mcp.batches import entries_of
from remem.surfaces.mcp.http_batches import answer_batch
from remem.surfaces.mcp.messages import wrong_id
from remem.surfaces.mcp.rate import Spend, refuse
from remem.surfaces.mcp.server import create_server

# Host and Origin were checked before, for every route alike (`surfaces/hosts.py`).
_CHECKED = TransportSecuritySettings(enable_dns_rebinding_protection=False)


class ToolsetServer:
    """Two servers alike: one streams to those who take a stream, one answers in plain JSON."""

    def __init__(self, toolset: str | None, max_body_bytes: int) -> None:
        self._managers = [_managed(toolset, max_body_bytes, plain=plain) for plain in (True, False)]
        self._opened, self._closing = asyncio.Event(), asyncio.Event()
        self._kept: asyncio.Task[None] | None = None

    async def open(self) -> "ToolsetServer":
        # A task of its own, for what was opened in one task has to be closed in it.
        self._kept = asyncio.create_task(self._keep(), context=Context())
        await self._opened.wait()
        if self._kept.done():
            await self._kept
        return self

    async def close(self) -> None:
        self._closing.set()
        if self._kept:
            await self._kept

    async def _keep(self) -> None:
        plain, streaming = self._managers
        try:
            async with plain.run(), streaming.run():
                self._opened.set()
                await self._closing.wait()
        finally:
            self._opened.set()

    async def answer(self, request: Request, receive: Receive, send: Send) -> None:
        spend: Spend = request.state.spend
        if request.method != "POST":
            await spend()
            # There is no stream: no sessions, and no unsolicited messages.
            await Response(status_code=405, headers={"Allow": "POST"})(request.scope, receive, send)
            return
        body = await request.body()
        plain, streaming = (one.handle_request for one in self._managers)
        if _may_batch(request) and (entries := entries_of(body)) is not None:
            reply = await answer_batch(plain, request.scope, entries, spend)
            await reply(request.scope, receive, send)
            return
        try:
            await spend()
        except RateLimited as error:
            await refuse(body, error)(request.scope, receive, send)
            return
        if problem := wrong_id(body):
            await JSONResponse(problem, 400)(request.scope, receive, send)
            return
        app: ASGIApp = streaming if _takes_stream(request) else plain
        await app(request.scope, _again(body, receive), send)


def _managed(
    toolset: str | None, max_body_bytes: int, *, plain: bool
) -> StreamableHTTPSessionManager:
    server = create_server(toolset, _of_request)
    server.streamable_http_app(
        stateless_http=True,
        json_response=plain,
        max_request_body_size=max_body_bytes,
        transport_security=_CHECKED,
    )
    return server.session_manager


def _of_request(context: ServerRequestContext[Any, Any]) -> AsyncRemem:
    assert context.request is not None
    return context.request.state.memory


def _may_batch(request: Request) -> bool:
    version = request.headers.get("mcp-protocol-version")
    return version is None or version in HANDSHAKE_PROTOCOL_VERSIONS


def _takes_stream(request: Request) -> bool:
    return "text/event-stream" in request.headers.get("accept", "")


def _again(body: bytes, receive: Receive) -> Receive:
    """Replay the body, which was already read to detect a batch."""
    unread: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def again() -> Message:
        return unread.pop() if unread else await receive()

    return again
