"""Too many connections: idle ones are closed, busy ones are not."""

import json

import pytest

from remem.settings import Settings
from remem.surfaces.cli.serving.bounds import BACKLOG, OWN_DESCRIPTORS, limits_of
from tests.surfaces.cli.serving.conftest import head, serve

pytestmark = pytest.mark.anyio


async def test_idle_connections_are_closed_for_new_ones() -> None:
    async with serve(connections=20) as site:
        idle = [await site.connect() for _ in range(100)]
        fresh = await site.connect()
        assert await fresh.get() == (200, b"done")
        assert len(site.watch) == 20
        assert await idle[0].is_closed()


async def test_connections_with_stalled_bodies_are_closed_too() -> None:
    async with serve(connections=5) as site:
        slow = [await site.connect() for _ in range(5)]
        for number, wire in enumerate(slow):
            await wire.send(head("POST", f"/body{number}", 1_000) + b"a")
            await site.arrived.acquire()
        site.clock.now += 2
        fresh = await site.connect()
        assert await fresh.get() == (200, b"done")
        assert len(site.watch) == 5


async def test_running_requests_are_never_dropped_and_a_new_one_is_refused() -> None:
    async with serve(connections=5) as site:
        busy = [await site.connect() for _ in range(5)]
        for wire in busy:
            await wire.send(head("GET", "/slow"))
            await site.arrived.acquire()
        late = await site.connect()
        status, body = await late.reply()
        assert (status, json.loads(body)["code"]) == (503, "busy")
        assert await late.is_closed()
        site.release.set()
        assert [await wire.reply() for wire in busy] == [(200, b"done")] * 5


@pytest.mark.parametrize(("descriptors", "expected"), [(1_024, 748), (65_536, 1_000), (64, 16)])
def test_descriptors_are_reserved_for_the_database(descriptors: int, expected: int) -> None:
    settings = Settings(pool_size=20)
    assert limits_of(settings, descriptors).connections == expected
    if expected > 16:
        assert expected + BACKLOG + OWN_DESCRIPTORS + settings.pool_size <= descriptors
