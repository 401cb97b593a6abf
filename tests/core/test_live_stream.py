"""A live stream ends with its credential, however many updates are waiting."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, cast

import pytest

from remem.core.stats.live import LiveChange, LiveUpdate
from remem.core.time import new_id
from remem.surfaces.rest.live import Inbox
from remem.surfaces.rest.v3 import live

pytestmark = pytest.mark.anyio


class RevokedCredential:
    async def is_valid(self) -> bool:
        return False


@asynccontextmanager
async def full_inbox(kind: str, type: str) -> AsyncIterator[Inbox]:
    """An inbox with a hundred waiting updates, then the end of the server."""
    inbox: Inbox = asyncio.Queue()
    for _ in range(100):
        inbox.put_nowait(LiveUpdate([LiveChange(new_id(), kind, new_id(), type)], []))
    inbox.put_nowait(None)
    yield inbox


async def stream_parts(kind: str, type: str) -> list[str]:
    credential = cast(Any, RevokedCredential())
    stream = live._stream(full_inbox(kind, type), "", 3_600, credential)
    return [part async for part in stream]


@pytest.mark.parametrize(
    ("kind", "type"),
    [("api_key", "revoke"), ("session", "revoke"), ("member", "delete"), ("grant", "revoke")],
)
async def test_it_ends_as_soon_as_access_ends(kind: str, type: str) -> None:
    first, last = await stream_parts(kind, type)
    assert first.startswith("retry") and last.startswith("event: end")


async def test_it_ends_at_the_next_beat(monkeypatch: pytest.MonkeyPatch) -> None:
    assert len(await stream_parts("document", "create")) == 101
    monkeypatch.setattr(live, "BEAT_S", 0.0)
    _, last = await stream_parts("document", "create")
    assert last.startswith("event: end")
