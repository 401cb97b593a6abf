"""What is due by the clock is done once, by one of many; what was missed is done once."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest

from remem.core.evolution.clock.slots import DAILY, HOURLY, Schedule, last_slot, next_slot
from remem.core.evolution.clock.tick import LEASE, tick
from remem.core.evolution.nightly import NIGHTLY, schedule_nightly
from remem.core.ports import Ports
from remem.core.scope import Bound
from remem.core.time import new_id
from tests.conftest import Server, new_scope
from tests.core.scratch import new_store
from tests.tools.idle_queue import IdleQueue

pytestmark = pytest.mark.anyio

NINE = datetime(2030, 5, 4, 9, tzinfo=UTC)


def test_a_day_begins_at_nine_utc() -> None:
    before = NINE - timedelta(seconds=1)
    assert last_slot(DAILY, before) == NINE - timedelta(days=1)
    assert last_slot(DAILY, NINE) == NINE
    assert next_slot(DAILY, NINE) == NINE + timedelta(days=1)
    assert last_slot(HOURLY, NINE + timedelta(minutes=59)) == NINE


class Counter:
    def __init__(self) -> None:
        self.count = 0

    async def work(self, ports: Ports) -> None:
        self.count += 1


@pytest.fixture
def daily() -> Schedule:
    """Of the test's own, so that no worker of the server does it."""
    return Schedule(f"test {new_id()}", DAILY.every, DAILY.at)


async def test_one_of_many_does_it_once_a_day(ports: Ports, daily: Schedule) -> None:
    done = Counter()
    assert not await tick(ports, daily, done.work, NINE), "in a new store nothing was missed"
    later = NINE + timedelta(days=1)
    ticks = [tick(ports, daily, done.work, later) for _ in range(8)]
    assert sorted(await asyncio.gather(*ticks)) == [False] * 7 + [True]
    assert not await tick(ports, daily, done.work, later + timedelta(hours=23))
    assert done.count == 1


async def test_days_that_were_missed_are_made_up_for_once(ports: Ports, daily: Schedule) -> None:
    done = Counter()
    await tick(ports, daily, done.work, NINE)
    after = NINE + timedelta(days=12, hours=5)
    assert await tick(ports, daily, done.work, after)
    assert not await tick(ports, daily, done.work, after + timedelta(minutes=1))
    assert await tick(ports, daily, done.work, NINE + timedelta(days=13))
    assert done.count == 2


async def test_what_was_begun_and_not_finished_is_done_again(ports: Ports, daily: Schedule) -> None:
    async def dies(ports: Ports) -> None:
        raise RuntimeError

    done, next_day = Counter(), NINE + timedelta(days=1)
    await tick(ports, daily, done.work, NINE)
    with pytest.raises(RuntimeError):
        await tick(ports, daily, dies, next_day)
    assert not await tick(ports, daily, done.work, next_day + LEASE / 2), "somebody may be at it"
    assert await tick(ports, daily, done.work, next_day + 2 * LEASE)


async def test_a_tenant_has_one_nightly_job(server: Server, ports: Ports, daily: Schedule) -> None:
    """In a store of few people, because it is made for each."""
    async with new_store(server, ports) as few:
        await check_nightly_jobs(few, daily)


async def check_nightly_jobs(ports: Ports, daily: Schedule) -> None:
    scope = await new_scope(ports)
    await tick(ports, daily, Counter().work, NINE)
    idle = replace(ports, queue=IdleQueue())  # type: ignore[arg-type]
    for _ in range(2):
        await schedule_nightly(idle)
    async with ports.db.transaction(scope) as tx:
        jobs: list[UUID] = [
            row["id"] for row in await tx.fetch("SELECT id FROM jobs WHERE name = $1", NIGHTLY)
        ]
    assert len(jobs) == 1
    async with ports.db.transaction(Bound()) as tx:
        assert await tx.fetchval("SELECT count(*) FROM schedules") >= 1
