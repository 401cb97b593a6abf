"""Read one job, or the latest ones."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from remem.core.errors import NotFound
from remem.core.jobs import job_store
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.core.transaction import Tx


@dataclass(frozen=True, slots=True)
class JobState:
    id: UUID
    name: str
    subject_id: UUID
    status: str
    attempts: int
    error: str | None
    created_at: datetime
    finished_at: datetime | None


async def find_job(tx: Tx, id: UUID) -> JobState:
    row = await job_store.find(tx, id)
    if row is None:
        raise NotFound("job", id)
    return JobState(**dict(row))


async def list_jobs(ports: Ports, scope: Scope, status: str | None, limit: int) -> list[JobState]:
    """The latest jobs, newest first."""
    async with ports.db.transaction(scope) as tx:
        rows = await job_store.latest(tx, status, limit)
    return [JobState(**dict(row)) for row in rows]


async def has_open_job(tx: Tx, name: str, subject_id: UUID) -> bool:
    """Whether such a job is pending or running."""
    return await job_store.has_open(tx, name, subject_id)


async def any_waits_for_room(tx: Tx) -> bool:
    """Whether a job stopped at the plan's limit."""
    return await job_store.any_waits_for_room(tx)
