"""Record the searches and reads of an assistant as a session, if the server allows it."""

import asyncio
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from remem.client import RememFailure
from remem.surfaces.mcp.calls import client

AGENT = "mcp"
IDS_LIMIT, QUERY_CHARS = 100, 20_000
# The client would wait minutes for a busy server.
LIMIT_S = 2.0


async def record_search(query: str, ids: Iterable[Any]) -> None:
    """Record a query and its results."""
    await _record("user", query[:QUERY_CHARS], recalled=_valid_ids(ids))


async def record_use(ids: Iterable[Any]) -> None:
    """Record items that were read in full, as useful results."""
    if used := _valid_ids(ids):
        await _record("tool", "Read.", used=used)


async def _record(role: str, content: str, **ids: list[str]) -> None:
    """Add a turn to today's session. Errors do not affect the caller."""
    if not content.strip():
        return
    key = f"{AGENT}:{datetime.now(UTC):%Y-%m-%d}"
    session_fields = {"key": key, "agent": AGENT, "recorded": True}
    turn = {"role": role, "content": content, **ids}
    try:
        async with asyncio.timeout(LIMIT_S):
            session = await client().request("POST", "/api/sessions", json=session_fields)
            path = f"/api/sessions/{session['id']}/turns"
            await client().request("POST", path, json=turn)
    except (RememFailure, TimeoutError):
        # Not allowed, read only, busy, full or deleted: recording must not fail the call.
        return


def _valid_ids(ids: Iterable[Any]) -> list[str]:
    valid = []
    for id in ids:
        try:
            valid.append(str(UUID(str(id))))
        except ValueError:
            continue
    return list(dict.fromkeys(valid))[:IDS_LIMIT]
