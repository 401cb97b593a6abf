"""Record what an assistant searches and reads as a session, where the server allows it."""

import asyncio
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from remem.client import RememFailure
from remem.surfaces.mcp.calls import memory

AGENT = "mcp"
IDS_LIMIT, QUERY_CHARS = 100, 20_000
# A server that is busy would have us wait for minutes.
LIMIT_S = 2.0


async def record_search(query: str, ids: Iterable[Any]) -> None:
    """A question, and what was found for it."""
    await _record("user", query[:QUERY_CHARS], recalled=_sound(ids))


async def record_use(ids: Iterable[Any]) -> None:
    """What was read whole was worth reading."""
    if used := _sound(ids):
        await _record("tool", "Read.", used=used)


async def _record(role: str, content: str, **ids: list[str]) -> None:
    """One session a day. Nothing that goes wrong here is the caller's concern."""
    if not content.strip():
        return
    key = f"{AGENT}:{datetime.now(UTC):%Y-%m-%d}"
    opened = {"key": key, "agent": AGENT, "recorded": True}
    turn = {"role": role, "content": content, **ids}
    try:
        async with asyncio.timeout(LIMIT_S):
            session = await memory().request("POST", "/api/sessions", json=opened)
            path = f"/api/sessions/{session['id']}/turns"
            await memory().request("POST", path, json=turn)
    except (RememFailure, TimeoutError):
        # Not allowed, read only, busy, full, or gone meanwhile: the answer counts, not the record.
        return


def _sound(ids: Iterable[Any]) -> list[str]:
    found = []
    for id in ids:
        try:
            found.append(str(UUID(str(id))))
        except ValueError:
            continue
    return list(dict.fromkeys(found))[:IDS_LIMIT]
