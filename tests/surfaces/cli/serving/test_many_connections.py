"""More connections than there is room for: those that wait give way, those at work do not."""

import json

import pytest

from remem.settings import Settings
from remem.surfaces.cli.serving.bounds import BACKLOG, OWN_DESCRIPTORS, limits_of
from tests.surfaces.cli.serving.conftest import head, serve

pytestmark = pytest.mark.anyio


async def test_idle_connections_give_way_to_new_ones() -> None:
    async with serve(connections=20) as site:
        idle = [await site.connect() for _ in range(100)]
        fresh = await site.connect()
        assert await fresh.get() == (200, b"done")
        assert len(site.watch) == 20
        assert await idle[0].is_closed()


async def test_half_sent_bodies_that_rest_give_way_too() -> None:
    async with serve(connections=5) as site:
        slow = [await site.connect() for _ in range(5)]
        for number, wire in enumerate(slow):
            await wire.send(head("POST", f"/body{number}", 1_000) + b"a")
            await site.arrived.acquire()
        site.clock.now += 2
        fresh = await site.connect()
        assert await fresh.get() == (200, b"done")
        assert len(site.watch) == 5


async def test_a_request_at_work_is_never_given_up_and_a_new_one_is_told_to_wait() -> None:
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


@pytest.mark.parametrize(("descriptors", "most"), [(1_024, 748), (65_536, 1_000), (64, 16)])
def test_there_is_always_room_for_the_database(descriptors: int, most: int) -> None:
    settings = Settings(pool_size=20)
    assert limits_of(settings, descriptors).connections == most
    if most > 16:
        assert most + BACKLOG + OWN_DESCRIPTORS + settings.pool_size <= descriptors
