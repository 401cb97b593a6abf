"""JSON-RPC batches: each entry is answered as if it had come alone."""

import asyncio
import json
from typing import Any

from mcp_types import INVALID_REQUEST
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Scope

ENTRIES_LIMIT = 100
_AT_ONCE = 10


def entries_of(body: bytes) -> list[Any] | None:
    """The entries of a batch; None for anything else, which is left to the protocol's own words."""
    if body.lstrip()[:1] != b"[":
        return None
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        return None


async def answer_batch(app: ASGIApp, scope: Scope, entries: list[Any]) -> Response:
    if not 0 < len(entries) <= ENTRIES_LIMIT:
        wrong = f"A batch holds 1 to {ENTRIES_LIMIT} entries, not {len(entries)}; split it."
        return JSONResponse(_refusal(None, wrong), 400)
    turns = asyncio.Semaphore(_AT_ONCE)

    async def one(entry: Any) -> Any:
        async with turns:
            return await _answer(app, scope, entry)

    replies = [reply for reply in await asyncio.gather(*map(one, entries)) if reply is not None]
    return JSONResponse(replies) if replies else Response(status_code=202)


async def _answer(app: ASGIApp, scope: Scope, entry: Any) -> Any:
    if wrong := _wrong(entry):
        id = entry.get("id") if isinstance(entry, dict) else None
        return _refusal(id if isinstance(id, str | int) else None, wrong)
    if "method" not in entry:
        return None
    body = await _exchange(app, scope, json.dumps(entry).encode())
    return json.loads(body) if body else None


def _wrong(entry: Any) -> str | None:
    if not isinstance(entry, dict) or entry.get("jsonrpc") != "2.0":
        return 'The entry is not a JSON-RPC 2.0 message; send an object with "jsonrpc": "2.0".'
    if "result" in entry or "error" in entry:
        return None
    if not isinstance(entry.get("method"), str):
        return "method: is required; send the name of one."
    if entry["method"] == "initialize":
        return "method: initialize cannot be part of a batch; send it alone, first."
    return None


def _refusal(id: str | int | None, message: str) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": id, "error": {"code": INVALID_REQUEST, "message": message}}


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
