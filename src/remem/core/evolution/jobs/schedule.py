"""Queue the jobs that the state of a tenant requires, each of them once."""

from datetime import datetime, timedelta
from uuid import UUID

from remem.core.errors import Invalid
from remem.core.evolution.jobs import evolution_job_store
from remem.core.evolution.model import PRIORITIES, PROJECT_JOBS, EvolutionJob, JobType
from remem.core.ports import Ports
from remem.core.projects.resolve import resolve
from remem.core.scope import Scope
from remem.core.time import now
from remem.core.transaction import Tx
from remem.core.vector_models.current import current_names

ARENA_EVERY = timedelta(hours=24)
LEARNING_EVERY = timedelta(days=7)
# A failed job is retried after this time.
RETRY_AFTER = timedelta(hours=6)
RETENTION = timedelta(days=90)


async def schedule(
    ports: Ports, scope: Scope, moment: datetime | None = None
) -> list[EvolutionJob]:
    """Queue the due jobs; return those that were not queued yet."""
    moment = moment or now()
    async with ports.db.transaction(scope) as tx:
        await evolution_job_store.lock_jobs(tx)
        await evolution_job_store.delete_old(tx, moment - RETENTION)
        due_jobs = await due(ports, tx, moment)
        queued = [
            await evolution_job_store.insert(tx, job_type, project_id, PRIORITIES[job_type])
            for job_type, project_id in due_jobs
        ]
    return [job for job in queued if job]


async def due(ports: Ports, tx: Tx, moment: datetime) -> list[tuple[JobType, UUID | None]]:
    """The jobs that the state requires, whether or not they are queued."""
    failed, models = moment - RETRY_AFTER, await current_names(ports, tx)
    jobs: list[tuple[JobType, UUID | None]] = []
    for id in await evolution_job_store.projects_with_sessions(tx, moment - ARENA_EVERY):
        jobs.append(("arena", id))
    if await evolution_job_store.lacks_embedding(tx, failed, models):
        jobs.append(("embedding", None))
    if await evolution_job_store.lacks_step(tx, failed, "derivation", "derivation"):
        jobs.append(("derivation", None))
    for id in await evolution_job_store.projects_to_consolidate(tx, failed, moment, models):
        jobs.append(("consolidation", id))
    if await evolution_job_store.lacks_step(tx, failed, "graph", "graph"):
        jobs.append(("graph", None))
    if await evolution_job_store.needs_learning(tx, moment - LEARNING_EVERY):
        jobs.append(("learning_propagation", None))
    return jobs


async def request_job(
    ports: Ports, scope: Scope, job_type: JobType, project: str | UUID | None
) -> EvolutionJob:
    """Queue one job on request; return the open one if there is one already."""
    async with ports.db.transaction(scope) as tx:
        if project is not None and job_type not in PROJECT_JOBS:
            raise Invalid("project", f"a job of type {job_type} is for all projects; leave it out")
        project_id = (await resolve(tx, project)).id if job_type in PROJECT_JOBS else None
        inserted = await evolution_job_store.insert(tx, job_type, project_id, PRIORITIES[job_type])
        job = inserted or await evolution_job_store.find_open(tx, job_type, project_id)
    assert job is not None, "of two at once, one is there"
    return job


async def list_evolution_jobs(
    ports: Ports,
    scope: Scope,
    job_type: str | None,
    status: str | None,
    before: UUID | None,
    limit: int,
) -> tuple[list[EvolutionJob], UUID | None]:
    """A page of jobs, newest first, and where the next page begins."""
    async with ports.db.transaction(scope) as tx:
        jobs = await evolution_job_store.page(tx, job_type, status, before, limit + 1)
    return jobs[:limit], jobs[limit - 1].id if len(jobs) > limit else None
