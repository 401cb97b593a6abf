"""Many workers on one queue: each job has one of them, and one that died is replaced."""

import asyncio
from collections import Counter
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import asyncpg
import pytest

from remem.core.db import Tx
from remem.core.evolution.jobs import store
from remem.core.evolution.jobs.run import LEASE, Run, run_evolution
from remem.core.evolution.jobs.schedule import due, schedule
from remem.core.evolution.model import PRIORITIES
from remem.core.evolution.nightly import EVOLVE, evolve_tenant
from remem.core.ports import Ports
from remem.core.projects.manage import create_project
from remem.core.scope import Scope
from remem.core.time import now
from tests.core.memories import save
from tests.tools.waiting import until_so

pytestmark = pytest.mark.anyio

NOON = datetime(2030, 5, 4, 12, tzinfo=UTC)


async def queued(ports: Ports, scope: Scope) -> set[UUID]:
    """One job of every type."""
    project = await create_project(ports, scope, "Queue", None, None)
    ids = set()
    async with ports.db.transaction(scope) as tx:
        for type, priority in PRIORITIES.items():
            place = project.id if type in ("arena", "consolidation") else None
            job = await store.insert(tx, scope, type, place, priority)
            assert job is not None
            ids.add(job.id)
    return ids


async def claim(ports: Ports, scope: Scope, moment: datetime = NOON) -> UUID | None:
    async with ports.db.transaction(scope) as tx:
        job = await store.claim(tx, scope, moment, moment + LEASE, [])
    return job.id if job else None


async def test_no_job_has_two_workers(ports: Ports, scope: Scope) -> None:
    ids = await queued(ports, scope)
    claimed = await asyncio.gather(*(claim(ports, scope) for _ in range(2 * len(ids))))
    found = [id for id in claimed if id]
    assert Counter(found) == Counter(ids)


async def test_one_who_claims_does_not_wait_for_another(ports: Ports, scope: Scope) -> None:
    """The second takes the next job while the first has not committed yet."""
    await queued(ports, scope)
    async with ports.db.transaction(scope) as first:
        mine = await store.claim(first, scope, NOON, NOON + LEASE, [])
        async with asyncio.timeout(10), ports.db.transaction(scope) as second:
            theirs = await store.claim(second, scope, NOON, NOON + LEASE, [])
    assert mine and theirs
    assert (mine.job_type, theirs.job_type) == ("arena", "embedding")


async def test_a_worker_that_died_is_replaced_and_its_late_result_is_not_kept(
    ports: Ports, scope: Scope
) -> None:
    ids = await queued(ports, scope)
    async with ports.db.transaction(scope) as tx:
        dead = await store.claim(tx, scope, NOON, NOON + LEASE, [])
    assert dead is not None
    for _ in range(len(ids) - 1):
        assert await claim(ports, scope) != dead.id
    assert await claim(ports, scope, NOON + LEASE / 2) is None
    later = NOON + LEASE + timedelta(seconds=1)
    assert await claim(ports, scope, later) == dead.id
    async with ports.db.transaction(scope) as tx:
        assert await store.finish(tx, scope, dead, "completed", {"late": 1}, None) is None


async def test_what_a_dead_worker_left_is_taken_over_the_same_night(
    ports: Ports, scope: Scope
) -> None:
    await save(ports, scope, "The bike shed is behind the bakery.")
    await schedule(ports, scope)
    begun = now()
    assert await claim(ports, scope, begun)
    await evolve_tenant(ports, scope, scope.tenant_id)
    async with ports.db.transaction(scope) as tx:
        name = await tx.fetchval("SELECT name FROM jobs ORDER BY created_at DESC LIMIT 1")
        waits = await tx.fetchval(
            "SELECT max(execute_after) FROM pgqueuer WHERE entrypoint = $1"
            " AND convert_from(payload, 'UTF8') LIKE '%' || $2 || '%'",
            EVOLVE,
            str(scope.tenant_id),
        )
    assert name == EVOLVE
    assert waits > begun + LEASE


async def test_two_runs_at_once_do_each_job_once(ports: Ports, scope: Scope) -> None:
    for text in ("The shed is red.", "Ann runs every day.", "Tea is at four."):
        await save(ports, scope, text)
    runs = await asyncio.gather(*(run_evolution(ports, scope) for _ in range(2)))
    done = Counter(job.id for run in runs for job in run.done)
    assert done and set(done.values()) == {1}
    async with ports.db.transaction(scope) as tx:
        kinds = Counter(
            row["type"]
            for row in await tx.fetch("SELECT type FROM events WHERE type LIKE 'evolution_%'")
        )
    assert set(kinds.values()) == {1}
    assert await schedule(ports, scope) == []


async def test_what_is_finished_while_another_run_looks_is_not_queued_again(
    ports: Ports, scope: Scope, monkeypatch: pytest.MonkeyPatch
) -> None:
    await save(ports, scope, "The shed is red.")
    others: list[asyncio.Task[Run]] = []

    async def look(ports: Ports, tx: Tx, scope: Scope, moment: datetime) -> list[Any]:
        found = await due(ports, tx, scope, moment)
        if not others:
            others.append(asyncio.create_task(run_evolution(ports, scope)))
            await until_so(lambda: is_done_or_waits(tx, others[0]))
        return found

    monkeypatch.setattr("remem.core.evolution.jobs.schedule.due", look)
    runs = [await run_evolution(ports, scope), await others[0]]
    kinds = Counter(job.job_type for run in runs for job in run.done)
    assert kinds and set(kinds.values()) == {1}


async def is_done_or_waits(tx: Tx, task: asyncio.Task[Run]) -> bool:
    waits = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"
    return task.done() or await tx.fetchval(waits) > 0


async def test_the_database_refuses_work_of_a_project_without_one(
    ports: Ports, scope: Scope
) -> None:
    for type in ("arena", "consolidation"):
        with pytest.raises(asyncpg.CheckViolationError):
            async with ports.db.transaction(scope) as tx:
                await store.insert(tx, scope, type, None, 10)  # type: ignore[arg-type]
