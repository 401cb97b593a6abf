"""Queue the work that the state of a tenant asks for; asked again, nothing is queued twice."""

from datetime import datetime, timedelta
from uuid import UUID

from remem.core.db import Tx
from remem.core.errors import Invalid
from remem.core.evolution.jobs import store
from remem.core.evolution.model import OF_PROJECT, PRIORITIES, EvolutionJob, JobType
from remem.core.ports import Ports
from remem.core.projects.resolve import resolve
from remem.core.scope import Scope
from remem.core.time import now

ARENA_EVERY = timedelta(hours=24)
LEARNING_EVERY = timedelta(days=7)
# What failed is tried again after this time.
REST = timedelta(hours=6)
KEPT = timedelta(days=90)


async def schedule(
    ports: Ports, scope: Scope, moment: datetime | None = None
) -> list[EvolutionJob]:
    """The jobs that were queued now."""
    moment = moment or now()
    async with ports.db.transaction(scope) as tx:
        await store.take_turn(tx, scope)
        await store.forget_old(tx, scope, moment - KEPT)
        wanted = await due(ports, tx, scope, moment)
        queued = [
            await store.insert(tx, scope, job_type, project_id, PRIORITIES[job_type])
            for job_type, project_id in wanted
        ]
    return [job for job in queued if job]


async def due(
    ports: Ports, tx: Tx, scope: Scope, moment: datetime
) -> list[tuple[JobType, UUID | None]]:
    """What the state asks for, whether or not it is queued."""
    failed, model = moment - REST, ports.embedder.model
    found: list[tuple[JobType, UUID | None]] = []
    for id in await store.projects_with_sessions(tx, scope, moment - ARENA_EVERY):
        found.append(("arena", id))
    if await store.lacks_embedding(tx, scope, failed, model):
        found.append(("embedding", None))
    if await store.lacks_step(tx, scope, failed, "derivation", "derivation"):
        found.append(("derivation", None))
    for id in await store.projects_to_consolidate(tx, scope, failed, moment, model):
        found.append(("consolidation", id))
    if await store.lacks_step(tx, scope, failed, "graph", "graph"):
        found.append(("graph", None))
    if await store.needs_learning(tx, scope, moment - LEARNING_EVERY):
        found.append(("learning_propagation", None))
    return found


async def request_job(
    ports: Ports, scope: Scope, job_type: JobType, project: str | UUID | None
) -> EvolutionJob:
    """Queue one job because somebody asks for it; the open one where there is one."""
    async with ports.db.transaction(scope) as tx:
        if project is not None and job_type not in OF_PROJECT:
            raise Invalid("project", f"a job of type {job_type} is for all projects; leave it out")
        project_id = (await resolve(tx, scope, project)).id if job_type in OF_PROJECT else None
        made = await store.insert(tx, scope, job_type, project_id, PRIORITIES[job_type])
        job = made or await store.find_open(tx, scope, job_type, project_id)
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
    """A page, the newest first, and where the next one begins."""
    async with ports.db.transaction(scope) as tx:
        jobs = await store.page(tx, scope, job_type, status, before, limit + 1)
    return jobs[:limit], jobs[limit - 1].id if len(jobs) > limit else None
