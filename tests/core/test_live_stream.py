"""A live stream ends with its credential, however much there is to tell."""

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


class Revoked:
    async def is_valid(self) -> bool:
        return False


@asynccontextmanager
async def busy(kind: str, type: str) -> AsyncIterator[Inbox]:
    """Never empty: a hundred pieces of news wait, and the end of the server behind them."""
    inbox: Inbox = asyncio.Queue()
    for _ in range(100):
        inbox.put_nowait(LiveUpdate([LiveChange(new_id(), kind, new_id(), type)], []))
    inbox.put_nowait(None)
    yield inbox


async def parts(kind: str, type: str) -> list[str]:
    credential = cast(Any, Revoked())
    stream = live._stream(busy(kind, type), "", 3_600, credential)
    return [part async for part in stream]


@pytest.mark.parametrize(
    ("kind", "type"),
    [("api_key", "revoke"), ("session", "revoke"), ("member", "delete"), ("grant", "revoke")],
)
async def test_it_ends_as_soon_as_access_ends(kind: str, type: str) -> None:
    first, last = await parts(kind, type)
    assert first.startswith("retry") and last.startswith("event: end")


async def test_it_ends_by_the_clock_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    assert len(await parts("document", "create")) == 101
    monkeypatch.setattr(live, "BEAT_S", 0.0)
    _, last = await parts("document", "create")
    assert last.startswith("event: end")
