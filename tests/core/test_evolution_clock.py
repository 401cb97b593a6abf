"""A scheduled task is run once by one of many processes; missed runs are made up for once."""

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

NINE_UTC = datetime(2030, 5, 4, 9, tzinfo=UTC)


def test_a_day_begins_at_nine_utc() -> None:
    before = NINE_UTC - timedelta(seconds=1)
    assert last_slot(DAILY, before) == NINE_UTC - timedelta(days=1)
    assert last_slot(DAILY, NINE_UTC) == NINE_UTC
    assert next_slot(DAILY, NINE_UTC) == NINE_UTC + timedelta(days=1)
    assert last_slot(HOURLY, NINE_UTC + timedelta(minutes=59)) == NINE_UTC


class Counter:
    def __init__(self) -> None:
        self.count = 0

    async def work(self, ports: Ports) -> None:
        self.count += 1


@pytest.fixture
def daily() -> Schedule:
    """A schedule of the test's own, so that no worker of the server runs it."""
    return Schedule(f"test {new_id()}", DAILY.every, DAILY.at)


async def test_one_of_many_processes_runs_the_task_once_a_day(
    ports: Ports, daily: Schedule
) -> None:
    counter = Counter()
    assert not await tick(ports, daily, counter.work, NINE_UTC), "a new store has missed nothing"
    later = NINE_UTC + timedelta(days=1)
    ticks = [tick(ports, daily, counter.work, later) for _ in range(8)]
    assert sorted(await asyncio.gather(*ticks)) == [False] * 7 + [True]
    assert not await tick(ports, daily, counter.work, later + timedelta(hours=23))
    assert counter.count == 1


async def test_missed_days_are_made_up_for_once(ports: Ports, daily: Schedule) -> None:
    counter = Counter()
    await tick(ports, daily, counter.work, NINE_UTC)
    after = NINE_UTC + timedelta(days=12, hours=5)
    assert await tick(ports, daily, counter.work, after)
    assert not await tick(ports, daily, counter.work, after + timedelta(minutes=1))
    assert await tick(ports, daily, counter.work, NINE_UTC + timedelta(days=13))
    assert counter.count == 2


async def test_a_task_that_was_started_and_not_finished_runs_again(
    ports: Ports, daily: Schedule
) -> None:
    async def crash(ports: Ports) -> None:
        raise RuntimeError

    counter, next_day = Counter(), NINE_UTC + timedelta(days=1)
    await tick(ports, daily, counter.work, NINE_UTC)
    with pytest.raises(RuntimeError):
        await tick(ports, daily, crash, next_day)
    assert not await tick(ports, daily, counter.work, next_day + LEASE / 2), (
        "another process may still be running it"
    )
    assert await tick(ports, daily, counter.work, next_day + 2 * LEASE)


async def test_a_tenant_has_one_nightly_job(server: Server, ports: Ports, daily: Schedule) -> None:
    """In a store with few tenants, because each of them gets a job."""
    async with new_store(server, ports) as new_ports:
        await check_nightly_jobs(new_ports, daily)


async def check_nightly_jobs(ports: Ports, daily: Schedule) -> None:
    scope = await new_scope(ports)
    await tick(ports, daily, Counter().work, NINE_UTC)
    idle_ports = replace(ports, queue=IdleQueue())  # type: ignore[arg-type]
    for _ in range(2):
        await schedule_nightly(idle_ports)
    async with ports.db.transaction(scope) as tx:
        jobs: list[UUID] = [
            row["id"]
            for row in await tx.system.fetch("SELECT id FROM jobs WHERE name = $1", NIGHTLY)
        ]
    assert len(jobs) == 1
    async with ports.db.transaction(Bound()) as tx:
        assert await tx.fetchval("SELECT count(*) FROM schedules") >= 1
