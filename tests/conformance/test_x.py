"""What is specific to X: newest first, a daily limit of reads, and missing posts."""

import time
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
import time_machine

from remem.core.connections.check import check_account, check_connection
from remem.core.connections.connect import connect
from remem.core.connections.manage import list_connections
from remem.core.connections.model import NewConnection
from remem.core.connections.sync import sync_connection
from remem.core.connections.usage import Usage, usage_of
from remem.core.connectors.errors import AskedTooOften, NeedsAuth
from remem.core.connectors.model import Access
from remem.core.errors import Invalid
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.core.time import now
from tests.tools.idle_queue import IdleQueue
from tests.tools.mirror import Mirror
from tests.tools.places import XPlace, x_place

pytestmark = pytest.mark.anyio


@pytest.fixture
def place(tmp_path: Path) -> Iterator[XPlace]:
    with x_place(tmp_path) as x:
        yield x


@pytest.fixture
async def mirror(place: XPlace) -> AsyncIterator[Mirror]:
    connector = place.connector
    yield Mirror(connector, Access({}, place.chosen, place.fields))
    await connector.close()


async def test_a_sync_reads_until_it_reaches_known_posts(mirror: Mirror, place: XPlace) -> None:
    mirror.access = replace(mirror.access, settings={"max_reads_a_day": "5000"})
    for number in range(120):
        place.write(f"post{number}", f"Text {number}.")
    await mirror.sync()
    assert len(mirror.items) == 120
    place.fake.write("new", "short", note_post={"text": "The whole long text."})
    place.fake.reads = 0
    await mirror.sync()
    assert "The whole long text." in mirror.texts and len(mirror.items) == 121
    assert place.fake.reads <= 100
    item = next(item for item in mirror.items.values() if "whole" in item.content)
    assert item.url and item.url.startswith("https://x.com/bob/status/")
    place.remove("post7")
    await mirror.sync()
    assert len(mirror.items) == 121
    await mirror.sync(full=True)
    assert len(mirror.items) == 120


async def test_the_daily_limit_of_reads_is_kept(mirror: Mirror, place: XPlace) -> None:
    mirror.access = replace(mirror.access, settings={"max_reads_a_day": "130"})
    for number in range(300):
        place.write(f"post{number}", f"Text {number}.")
    with pytest.raises(AskedTooOften) as error:
        await mirror.sync()
    midnight = now() + timedelta(days=1)
    assert error.value.until.date() == midnight.date()
    assert place.fake.reads == 130 and len(mirror.items) == 125
    with time_machine.travel(midnight, tick=True), pytest.raises(AskedTooOften):
        await mirror.sync()
    assert place.fake.reads == 260 and len(mirror.items) == 255


async def test_posts_beyond_the_list_limit_of_x_are_not_deleted(
    mirror: Mirror, place: XPlace
) -> None:
    mirror.access = replace(mirror.access, settings={"max_reads_a_day": "5000"})
    for number in range(810):
        place.write(f"post{number}", f"Text {number}.")
    await mirror.sync()
    assert len(mirror.items) == 800
    place.write("newest", "The newest.")
    await mirror.sync(full=True)
    assert len(mirror.items) == 801


async def test_a_pause_missing_credits_and_a_revoked_token(mirror: Mirror, place: XPlace) -> None:
    place.write("first", "The kettle.")
    place.fake.limit, place.fake.reset = 1, str(int(time.time()) + 600)
    with pytest.raises(AskedTooOften) as error:
        await mirror.sync()
    assert error.value.until > now() + timedelta(minutes=9)
    place.fake.limit, place.fake.has_credits = None, False
    with pytest.raises(Invalid, match="credits"):
        await mirror.sync()
    place.fake.has_credits, place.fake.token = True, None
    with pytest.raises(NeedsAuth, match="connect X again"):
        await mirror.sync()


async def test_costs_are_shown_before_connecting(mirror: Mirror) -> None:
    assert "0.001 USD" in mirror.connector.provider.help
    assert "0.30 USD" in mirror.connector.provider.help
    wrong = replace(mirror.access, settings={"max_reads_a_day": "many"})
    with pytest.raises(Invalid, match="number of reads"):
        await mirror.connector.account(wrong)


async def test_the_reads_and_costs_of_today_are_shown(
    ports: Ports, scope: Scope, place: XPlace
) -> None:
    store = replace(ports, connectors={"x": place.connector}, queue=IdleQueue())  # type: ignore[arg-type]
    for number in range(5):
        place.write(f"post{number}", f"Text {number}.")
    new = NewConnection("x", {**place.fields, "max_reads_a_day": "400"}, place.chosen)
    account_check = await check_account(store, scope, new)
    assert account_check.usage == Usage(place.fake.reads, 400, place.fake.reads / 1_000, 0.4)
    place.fake.reads = 0
    connection, _ = await connect(store, scope, new)
    assert usage_of(store, connection) == Usage(0, 400, 0.0, 0.4)
    # A check reads as much as a sync, also before the first sync.
    await check_connection(store, scope, connection.id)
    await sync_connection(store, scope, connection.id)
    (connection,) = await list_connections(store, scope)
    reads = place.fake.reads
    assert reads > 10 and usage_of(store, connection) == Usage(reads, 400, reads / 1_000, 0.4)
    checked = await check_connection(store, scope, connection.id)
    (connection,) = await list_connections(store, scope)
    assert checked.usage == usage_of(store, connection)
    assert place.fake.reads > reads and checked.usage and checked.usage.reads == place.fake.reads
    with time_machine.travel(now() + timedelta(days=1), tick=False):
        assert usage_of(store, connection) == Usage(0, 400, 0.0, 0.4)
    other = replace(connection, provider="folder")
    assert usage_of(store, other) is None
