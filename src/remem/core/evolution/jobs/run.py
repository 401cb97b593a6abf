"""One run: queue due jobs, then do the most urgent ones for a few seconds."""

import time
from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import TypeAlias
from uuid import UUID

import structlog

from remem.core.errors import RememError
from remem.core.events.record import record
from remem.core.evolution.arena.compare import compare_arms
from remem.core.evolution.arena.learn import propagate
from remem.core.evolution.jobs import evolution_job_store
from remem.core.evolution.jobs.schedule import due, schedule
from remem.core.evolution.model import EvolutionJob, JobType, Run, Work
from remem.core.evolution.upkeep.consolidate import consolidate
from remem.core.evolution.upkeep.derive import derive_all
from remem.core.evolution.upkeep.embed import embed_all
from remem.core.evolution.upkeep.link import link_all
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.core.time import now

JOBS_LIMIT = 5
BUDGET_S = 25.0
ATTEMPTS = 3
# Much longer than a run may take: a worker that has had a job for this long has died.
LEASE = timedelta(minutes=10)
ERROR_LIMIT = 500

# A step works until `deadline` on the monotonic clock, and returns whether there is more to do.
Step: TypeAlias = Callable[[Ports, Scope, UUID | None, float], Awaitable[Work]]
STEPS: dict[JobType, Step] = {
    "arena": compare_arms,
    "embedding": embed_all,
    "derivation": derive_all,
    "consolidation": consolidate,
    "graph": link_all,
    "learning_propagation": propagate,
}

log = structlog.get_logger()


async def run_evolution(ports: Ports, scope: Scope, budget_s: float = BUDGET_S) -> Run:
    """Run evolution for one tenant. Any number of processes may do so concurrently: each job has
    one worker."""
    started = time.monotonic()
    deadline = started + budget_s
    scheduled = await schedule(ports, scope)
    done: list[EvolutionJob] = []
    while len(done) < JOBS_LIMIT and time.monotonic() < deadline:
        async with ports.db.transaction(scope) as tx:
            moment = now()
            tried = [job.id for job in done]
            job = await evolution_job_store.claim(tx, moment, moment + LEASE, tried)
        if job is None:
            break
        done.append(await _run_job(ports, scope, job, deadline))
    async with ports.db.transaction(scope) as tx:
        has_more = bool(await due(ports, tx, now()))
    progressed = any(job.status == "completed" for job in done)
    took_ms = (time.monotonic() - started) * 1_000
    return Run(scheduled, done, took_ms, has_more and progressed)


async def _run_job(ports: Ports, scope: Scope, job: EvolutionJob, deadline: float) -> EvolutionJob:
    try:
        work = await STEPS[job.job_type](ports, scope, job.project_id, deadline)
    except Exception as error:
        return await _fail(ports, scope, job, error)
    result = {**work.result, **({"left": True} if work.has_more else {})}
    return await _finish(ports, scope, job, "completed", result, None)


async def _fail(ports: Ports, scope: Scope, job: EvolutionJob, error: Exception) -> EvolutionJob:
    """Record a failure; a later run retries the job a few times."""
    log.warning("evolution_job_failed", type=job.job_type, error=type(error).__name__)
    reason = str(error) if isinstance(error, RememError) else type(error).__name__
    status = "failed" if job.attempts >= ATTEMPTS else "pending"
    return await _finish(ports, scope, job, status, {}, reason[:ERROR_LIMIT])


async def _finish(
    ports: Ports,
    scope: Scope,
    job: EvolutionJob,
    status: str,
    result: dict[str, object],
    error: str | None,
) -> EvolutionJob:
    async with ports.db.transaction(scope) as tx:
        await evolution_job_store.lock_jobs(tx)
        finished = await evolution_job_store.finish(tx, job, status, result, error)
        if finished and status != "pending":
            data = {"status": status, **result}
            await record(tx, "evolution_job", job.id, f"evolution_{job.job_type}", data)
    return finished or job
