"""The MCP servers of a toolset, which run as long as the process."""

import asyncio
import json
from contextvars import Context
from typing import Any

from mcp.server.context import ServerRequestContext
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from remem.client import AsyncRemem
from remem.core.errors import RateLimited
from remem.surfaces.mcp.batches import entry_problem, invalid_request, parse_batch, size_problem
from remem.surfaces.mcp.messages import invalid_id_error
from remem.surfaces.mcp.rate import CheckRateLimit, rate_limit_reply, rate_limit_response
from remem.surfaces.mcp.server import create_server

# `surfaces/hosts.py` checks Host and Origin of all routes.
_NO_HOST_CHECK = TransportSecuritySettings(enable_dns_rebinding_protection=False)


class ToolsetServer:
    """Two identical servers: one streams to clients that accept it, one answers in JSON."""

    def __init__(self, toolset: str | None, max_body_bytes: int) -> None:
        self._managers = [
            _session_manager(toolset, max_body_bytes, plain=plain) for plain in (True, False)
        ]
        self._is_open, self._closing = asyncio.Event(), asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    async def open(self) -> "ToolsetServer":
        # In a separate task, because context managers must be closed by the task that opened them.
        self._task = asyncio.create_task(self._run(), context=Context())
        await self._is_open.wait()
        if self._task.done():
            await self._task
        return self

    async def close(self) -> None:
        self._closing.set()
        if self._task:
            await self._task

    async def _run(self) -> None:
        plain, streaming = self._managers
        try:
            async with plain.run(), streaming.run():
                self._is_open.set()
                await self._closing.wait()
        finally:
            self._is_open.set()

    async def answer(self, request: Request, receive: Receive, send: Send) -> None:
        check_rate_limit: CheckRateLimit = request.state.check_rate_limit
        if request.method != "POST":
            await check_rate_limit()
            # There is no stream: no sessions, and no unsolicited messages.
            await Response(status_code=405, headers={"Allow": "POST"})(request.scope, receive, send)
            return
        body = await request.body()
        plain, streaming = (manager.handle_request for manager in self._managers)
        if _allows_batches(request) and (entries := parse_batch(body)) is not None:
            reply = await answer_batch(plain, request.scope, entries, check_rate_limit)
            await reply(request.scope, receive, send)
            return
        try:
            await check_rate_limit()
        except RateLimited as error:
            await rate_limit_response(body, error)(request.scope, receive, send)
            return
        if id_error := invalid_id_error(body):
            await JSONResponse(id_error, 400)(request.scope, receive, send)
            return
        app: ASGIApp = streaming if _accepts_stream(request) else plain
        await app(request.scope, _replay_body(body, receive), send)


def _session_manager(
    toolset: str | None, max_body_bytes: int, *, plain: bool
) -> StreamableHTTPSessionManager:
    server = create_server(toolset, _client_of_request)
    server.streamable_http_app(
        stateless_http=True,
        json_response=plain,
        max_request_body_size=max_body_bytes,
        transport_security=_NO_HOST_CHECK,
    )
    return server.session_manager


def _client_of_request(context: ServerRequestContext[Any, Any]) -> AsyncRemem:
    assert context.request is not None
    return context.request.state.memory


def _allows_batches(request: Request) -> bool:
    version = request.headers.get("mcp-protocol-version")
    return version is None or version in HANDSHAKE_PROTOCOL_VERSIONS


def _accepts_stream(request: Request) -> bool:
    return "text/event-stream" in request.headers.get("accept", "")


def _replay_body(body: bytes, receive: Receive) -> Receive:
    """Replay the body, which was already read to detect a batch."""
    unread: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive_again() -> Message:
        return unread.pop() if unread else await receive()

    return receive_again


# Batches over HTTP: each entry is handled as a separate request.


_MAX_CONCURRENT = 10


async def answer_batch(
    app: ASGIApp, scope: Scope, entries: list[Any], check_rate_limit: CheckRateLimit
) -> Response:
    if problem := size_problem(entries):
        return JSONResponse(invalid_request(None, problem), 400)
    slots = asyncio.Semaphore(_MAX_CONCURRENT)

    async def answer_entry(entry: Any) -> Any:
        async with slots:
            return await _answer(app, scope, entry, check_rate_limit)

    replies = [
        reply for reply in await asyncio.gather(*map(answer_entry, entries)) if reply is not None
    ]
    return JSONResponse(replies) if replies else Response(status_code=202)


async def _answer(app: ASGIApp, scope: Scope, entry: Any, check_rate_limit: CheckRateLimit) -> Any:
    try:
        await check_rate_limit()
    except RateLimited as error:
        return rate_limit_reply(entry, error)
    if problem := entry_problem(entry):
        return invalid_request(entry, problem)
    if "method" not in entry:
        return None
    body = await _exchange(app, scope, json.dumps(entry).encode())
    return json.loads(body) if body else None


async def _exchange(app: ASGIApp, scope: Scope, body: bytes) -> bytes:
    """Send one entry to the app, and return its response as JSON."""
    response = bytearray()
    unread = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive() -> Message:
        if not unread:
            await asyncio.Event().wait()
        return unread.pop()

    async def send(message: Message) -> None:
        response.extend(message.get("body", b""))

    await app(_entry_scope(scope, len(body)), receive, send)
    return bytes(response)


def _entry_scope(scope: Scope, length: int) -> Scope:
    other_headers = [
        (name, value)
        for name, value in scope["headers"]
        if name not in (b"accept", b"content-length", b"transfer-encoding")
    ]
    entry_headers = [(b"accept", b"application/json"), (b"content-length", str(length).encode())]
    return {**scope, "headers": [*other_headers, *entry_headers]}
