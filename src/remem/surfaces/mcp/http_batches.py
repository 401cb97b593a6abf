"""Batches over HTTP: each entry is answered as if it had come alone."""

import asyncio
import json
from typing import Any

from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Scope

from remem.core.errors import RateLimited
from remem.surfaces.mcp.batches import refusal, wrong_entry, wrong_size
from remem.surfaces.mcp.rate import Spend, too_many

_AT_ONCE = 10


async def answer_batch(app: ASGIApp, scope: Scope, entries: list[Any], spend: Spend) -> Response:
    if wrong := wrong_size(entries):
        return JSONResponse(refusal(None, wrong), 400)
    turns = asyncio.Semaphore(_AT_ONCE)

    async def one(entry: Any) -> Any:
        async with turns:
            return await _answer(app, scope, entry, spend)

    replies = [reply for reply in await asyncio.gather(*map(one, entries)) if reply is not None]
    return JSONResponse(replies) if replies else Response(status_code=202)


async def _answer(app: ASGIApp, scope: Scope, entry: Any, spend: Spend) -> Any:
    try:
        await spend()
    except RateLimited as error:
        return too_many(entry, error)
    if wrong := wrong_entry(entry):
        return refusal(entry, wrong)
    if "method" not in entry:
        return None
    body = await _exchange(app, scope, json.dumps(entry).encode())
    return json.loads(body) if body else None


async def _exchange(app: ASGIApp, scope: Scope, body: bytes) -> bytes:
    """One request of the batch, and its reply as JSON."""
    replied = bytearray()
    unread = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive() -> Message:
        if not unread:
            await asyncio.Event().wait()
        return unread.pop()

    async def send(message: Message) -> None:
        replied.extend(message.get("body", b""))

    await app(_alone(scope, len(body)), receive, send)
    return bytes(replied)


def _alone(scope: Scope, length: int) -> Scope:
    kept = [
        (name, value)
        for name, value in scope["headers"]
        if name not in (b"accept", b"content-length", b"transfer-encoding")
    ]
    mine = [(b"accept", b"application/json"), (b"content-length", str(length).encode())]
    return {**scope, "headers": [*kept, *mine]}
