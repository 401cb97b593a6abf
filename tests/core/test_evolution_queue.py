"""Many workers on one queue: each job has one worker, and a crashed worker is replaced."""

import asyncio
from collections import Counter
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import asyncpg
import pytest

from remem.core.evolution.jobs import evolution_job_store
from remem.core.evolution.jobs.run import LEASE, Run, run_evolution
from remem.core.evolution.jobs.schedule import due, schedule
from remem.core.evolution.model import PRIORITIES
from remem.core.evolution.nightly import EVOLVE, evolve_tenant
from remem.core.ports import Ports
from remem.core.projects.manage import create_project
from remem.core.scope import Scope
from remem.core.time import now
from remem.core.transaction import AnyTx, Tx
from tests.core.memories import save
from tests.tools.waiting import until_async

pytestmark = pytest.mark.anyio

NOON = datetime(2030, 5, 4, 12, tzinfo=UTC)


async def queue_all_types(ports: Ports, scope: Scope) -> set[UUID]:
    """Queue one job of each type."""
    project = await create_project(ports, scope, "Queue", None, None)
    ids = set()
    async with ports.db.transaction(scope) as tx:
        for type, priority in PRIORITIES.items():
            project_id = project.id if type in ("arena", "consolidation") else None
            job = await evolution_job_store.insert(tx, type, project_id, priority)
            assert job is not None
            ids.add(job.id)
    return ids


async def claim(ports: Ports, scope: Scope, moment: datetime = NOON) -> UUID | None:
    async with ports.db.transaction(scope) as tx:
        job = await evolution_job_store.claim(tx, moment, moment + LEASE, [])
    return job.id if job else None


async def test_no_job_has_two_workers(ports: Ports, scope: Scope) -> None:
    ids = await queue_all_types(ports, scope)
    claimed = await asyncio.gather(*(claim(ports, scope) for _ in range(2 * len(ids))))
    job_ids = [id for id in claimed if id]
    assert Counter(job_ids) == Counter(ids)


async def test_a_claim_does_not_wait_for_another_claim(ports: Ports, scope: Scope) -> None:
    """The second takes the next job while the first has not committed yet."""
    await queue_all_types(ports, scope)
    async with ports.db.transaction(scope) as first:
        first_job = await evolution_job_store.claim(first, NOON, NOON + LEASE, [])
        async with asyncio.timeout(120), ports.db.transaction(scope) as second:
            second_job = await evolution_job_store.claim(second, NOON, NOON + LEASE, [])
    assert first_job and second_job
    assert (first_job.job_type, second_job.job_type) == ("arena", "embedding")


async def test_a_crashed_worker_is_replaced_and_its_late_result_is_discarded(
    ports: Ports, scope: Scope
) -> None:
    ids = await queue_all_types(ports, scope)
    async with ports.db.transaction(scope) as tx:
        crashed_job = await evolution_job_store.claim(tx, NOON, NOON + LEASE, [])
    assert crashed_job is not None
    for _ in range(len(ids) - 1):
        assert await claim(ports, scope) != crashed_job.id
    assert await claim(ports, scope, NOON + LEASE / 2) is None
    later = NOON + LEASE + timedelta(seconds=1)
    assert await claim(ports, scope, later) == crashed_job.id
    async with ports.db.transaction(scope) as tx:
        assert (
            await evolution_job_store.finish(tx, crashed_job, "completed", {"late": 1}, None)
            is None
        )


async def test_the_job_of_a_crashed_worker_is_taken_over_the_same_night(
    ports: Ports, scope: Scope
) -> None:
    await save(ports, scope, "The bike shed is behind the bakery.")
    await schedule(ports, scope)
    started = now()
    assert await claim(ports, scope, started)
    await evolve_tenant(ports, scope, scope.tenant_id)
    async with ports.db.transaction(scope) as tx:
        name = await tx.system.fetchval("SELECT name FROM jobs ORDER BY created_at DESC LIMIT 1")
        execute_after = await tx.system.fetchval(
            "SELECT max(execute_after) FROM pgqueuer WHERE entrypoint = $1"
            " AND convert_from(payload, 'UTF8') LIKE '%' || $2 || '%'",
            EVOLVE,
            str(scope.tenant_id),
        )
    assert name == EVOLVE
    assert execute_after > started + LEASE


async def test_two_concurrent_runs_do_each_job_once(ports: Ports, scope: Scope) -> None:
    for text in ("The shed is red.", "Ann runs every day.", "Tea is at four."):
        await save(ports, scope, text)
    runs = await asyncio.gather(*(run_evolution(ports, scope) for _ in range(2)))
    done = Counter(job.id for run in runs for job in run.done)
    assert done and set(done.values()) == {1}
    async with ports.db.transaction(scope) as tx:
        kinds = Counter(
            row["type"]
            for row in await tx.system.fetch(
                "SELECT type FROM events WHERE type LIKE 'evolution_%'"
            )
        )
    assert set(kinds.values()) == {1}
    assert await schedule(ports, scope) == []


async def test_a_job_finished_while_another_run_schedules_is_not_queued_again(
    ports: Ports, scope: Scope, monkeypatch: pytest.MonkeyPatch
) -> None:
    await save(ports, scope, "The shed is red.")
    other_runs: list[asyncio.Task[Run]] = []

    async def due_after_other_run(ports: Ports, tx: Tx, moment: datetime) -> list[Any]:
        jobs = await due(ports, tx, moment)
        if not other_runs:
            other_runs.append(asyncio.create_task(run_evolution(ports, tx.scope)))
            await until_async(lambda: is_done_or_waits_for_lock(tx, other_runs[0]))
        return jobs

    monkeypatch.setattr("remem.core.evolution.jobs.schedule.due", due_after_other_run)
    runs = [await run_evolution(ports, scope), await other_runs[0]]
    kinds = Counter(job.job_type for run in runs for job in run.done)
    assert kinds and set(kinds.values()) == {1}


async def is_done_or_waits_for_lock(tx: AnyTx, task: asyncio.Task[Run]) -> bool:
    query = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"
    return task.done() or await tx.connection.fetchval(query) > 0


async def test_the_database_refuses_a_project_job_without_a_project(
    ports: Ports, scope: Scope
) -> None:
    for type in ("arena", "consolidation"):
        with pytest.raises(asyncpg.CheckViolationError):
            async with ports.db.transaction(scope) as tx:
                await evolution_job_store.insert(tx, type, None, 10)  # type: ignore[arg-type]
