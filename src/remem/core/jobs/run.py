"""Do a job's work and record what became of it."""

from collections.abc import Awaitable, Callable
from typing import TypeAlias
from uuid import UUID

from remem.core.jobs import store
from remem.core.ports import Job, Ports
from remem.core.scope import Scope

Work: TypeAlias = Callable[[Ports, Scope, UUID], Awaitable[None]]
# Tells the subject of a job, and with it its owner, that nothing more will be tried, and why.
GiveUp: TypeAlias = Callable[[Ports, Scope, UUID, str], Awaitable[None]]
ERROR_LIMIT = 500


class Deadly(Exception):
    """A job that ended its process again and again; it is not begun once more."""

    def __init__(self, job: Job) -> None:
        super().__init__(
            f"Working on it ended the process {job.lost} times, most likely for want of memory; "
            "split it into smaller parts, or give the worker more memory and save it again."
        )


async def run(ports: Ports, job: Job, work: Work, give_up: GiveUp | None = None) -> None:
    """Raise what the work raised, so that the queue tries again."""
    scope = Scope(tenant_id=job.tenant_id, user_id=job.user_id, actor=f"job:{job.name}")
    async with ports.db.transaction(scope) as tx:
        await store.begin(tx, scope, job.id, job.attempt)
    try:
        if job.is_deadly:
            raise Deadly(job)
        await work(ports, scope, job.subject_id)
    except Exception as error:
        status = "failed" if job.is_last(error) else "pending"
        if status == "failed" and give_up:
            await give_up(ports, scope, job.subject_id, _reason(error))
        await _finish(ports, scope, job, status, _reason(error))
        raise
    await _finish(ports, scope, job, "completed", None)


async def _finish(ports: Ports, scope: Scope, job: Job, status: str, error: str | None) -> None:
    async with ports.db.transaction(scope) as tx:
        await store.finish(tx, scope, job.id, status, error)


def _reason(error: Exception) -> str:
    """What it says, as far as the database can keep it: it may quote anything."""
    said = str(error).replace("\x00", "").encode(errors="replace").decode()
    return (said or type(error).__name__)[:ERROR_LIMIT]
