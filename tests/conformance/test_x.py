"""What is X's own: newest first, a limit of reads for each day, and what absence says."""

import time
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
import time_machine

from remem.core.connectors import Access, AskedTooOften, NeedsAuth
from remem.core.errors import Invalid
from remem.core.time import now
from tests.tools.mirror import Mirror
from tests.tools.places import XPlace, x_place

pytestmark = pytest.mark.anyio


@pytest.fixture
def place(tmp_path: Path) -> Iterator[XPlace]:
    with x_place(tmp_path) as opened:
        yield opened


@pytest.fixture
async def mirror(place: XPlace) -> AsyncIterator[Mirror]:
    connector = place.connector
    yield Mirror(connector, Access({}, place.chosen, place.fields))
    await connector.close()


async def test_a_sync_reads_until_it_meets_what_it_knows(mirror: Mirror, place: XPlace) -> None:
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
    item = next(one for one in mirror.items.values() if "whole" in one.content)
    assert item.url and item.url.startswith("https://x.com/bob/status/")
    place.remove("post7")
    await mirror.sync()
    assert len(mirror.items) == 121
    await mirror.sync(full=True)
    assert len(mirror.items) == 120


async def test_no_more_is_read_in_a_day_than_allowed(mirror: Mirror, place: XPlace) -> None:
    mirror.access = replace(mirror.access, settings={"max_reads_a_day": "130"})
    for number in range(300):
        place.write(f"post{number}", f"Text {number}.")
    with pytest.raises(AskedTooOften) as paused:
        await mirror.sync()
    midnight = now() + timedelta(days=1)
    assert paused.value.until.date() == midnight.date()
    assert place.fake.reads == 130 and len(mirror.items) == 125
    with time_machine.travel(midnight, tick=True), pytest.raises(AskedTooOften):
        await mirror.sync()
    assert place.fake.reads == 260 and len(mirror.items) == 255


async def test_beyond_what_x_lists_absence_says_nothing(mirror: Mirror, place: XPlace) -> None:
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
    with pytest.raises(AskedTooOften) as paused:
        await mirror.sync()
    assert paused.value.until > now() + timedelta(minutes=9)
    place.fake.limit, place.fake.has_credits = None, False
    with pytest.raises(Invalid, match="credits"):
        await mirror.sync()
    place.fake.has_credits, place.fake.token = True, None
    with pytest.raises(NeedsAuth, match="connect X again"):
        await mirror.sync()


async def test_what_is_shown_before_connecting(mirror: Mirror) -> None:
    assert "0.001 USD" in mirror.connector.provider.help
    assert "0.30 USD" in mirror.connector.provider.help
    wrong = replace(mirror.access, settings={"max_reads_a_day": "many"})
    with pytest.raises(Invalid, match="number of reads"):
        await mirror.connector.account(wrong)
