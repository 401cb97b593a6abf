"""Batches over HTTP: each entry is handled as a separate request."""

import asyncio
import json
from typing import Any

from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Scope

from remem.core.errors import RateLimited
from remem.surfaces.mcp.batches import entry_problem, invalid_request, size_problem
from remem.surfaces.mcp.rate import CheckRateLimit, rate_limit_reply

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
