"""Run a job within its deadline, and record the result."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeAlias
from uuid import UUID

from remem.core.errors import RememError, Unavailable, WaitsForRoom, WorkRemains
from remem.core.jobs import job_store
from remem.core.jobs.enqueue import enqueue_rest
from remem.core.ports import Ports
from remem.core.queued import Job
from remem.core.scope import Scope
from remem.core.telemetry import timed

ERROR_LIMIT = 500
HOUR_S = 3_600.0


@dataclass(frozen=True, slots=True)
class Failure:
    """A failed attempt: the reason, in a sentence for people, and whether it was the last one."""

    reason: str
    is_final: bool


Work: TypeAlias = Callable[[Ports, Scope, UUID], Awaitable[None]]
# Shows a failure on the subject of the job, where its owner looks first.
OnFailure: TypeAlias = Callable[[Ports, Scope, UUID, Failure], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class JobKind:
    """The work of a kind of job. An attempt that takes longer than `deadline_s` fails. What remains
    after a part of the work is a large job, unless it is done in the background."""

    work: Work
    deadline_s: float = HOUR_S
    on_failure: OnFailure | None = None
    in_background: bool = False


class CrashLoop(RememError):
    """A job that repeatedly killed its process; it is not started again."""

    code = "crash_loop"

    def __init__(self, job: Job) -> None:
        super().__init__(
            f"Working on it ended the process {job.lost} times, most likely for want of memory; "
            "split it into smaller parts, or give the worker more memory and save it again."
        )


class DeadlinePassed(RememError):
    """An attempt that was stopped because it took too long."""

    code = "deadline_passed"

    def __init__(self, deadline_s: float) -> None:
        super().__init__(
            f"The work took longer than {deadline_s:,.0f} s and was stopped;"
            " split it into smaller parts, or try again when the server has less to do."
        )


async def run(ports: Ports, job: Job, kind: JobKind) -> None:
    """Run one attempt. Re-raise the error of the work, so that the queue retries."""
    scope = Scope(tenant_id=job.tenant_id, user_id=job.user_id, actor=f"job:{job.name}")
    async with ports.db.transaction(scope) as tx:
        await job_store.begin(tx, job.id, job.attempt)
    try:
        if job.is_crash_loop:
            raise CrashLoop(job)
        with timed("job", job=job.name, result="failed") as labels:
            is_done = await _work(ports, scope, job, kind)
            labels["result"] = "ok"
    except Exception as error:
        await _record_failure(ports, scope, job, kind, error)
        raise
    if is_done:
        await _finish(ports, scope, job, "completed", None)
    else:
        await _continue_later(ports, scope, job, large=not kind.in_background)


async def _work(ports: Ports, scope: Scope, job: Job, kind: JobKind) -> bool:
    """Whether it is done; if not, a part of it is."""
    deadline = asyncio.timeout(kind.deadline_s)
    try:
        async with deadline:
            await kind.work(ports, scope, job.subject_id)
        return True
    except WorkRemains:
        return False
    except TimeoutError as error:
        if deadline.expired():
            raise DeadlinePassed(kind.deadline_s) from error
        raise


async def _continue_later(ports: Ports, scope: Scope, job: Job, *, large: bool) -> None:
    async with ports.db.transaction(scope) as tx:
        await job_store.finish(tx, job.id, "pending", None)
        await enqueue_rest(ports, tx, job, large=large)


async def _record_failure(
    ports: Ports, scope: Scope, job: Job, kind: JobKind, error: Exception
) -> None:
    """Record a failed attempt. If that is impossible the failure is not final: the next attempt
    records it."""
    failure = Failure(_reason(error), job.is_last(error))
    try:
        if kind.on_failure:
            await kind.on_failure(ports, scope, job.subject_id, failure)
        status = "failed" if failure.is_final else "pending"
        waits_for_room = isinstance(error, WaitsForRoom)
        await _finish(ports, scope, job, status, failure.reason, waits_for_room=waits_for_room)
    except Exception as store_error:
        raise Unavailable("The result of the job could not be recorded.") from store_error


async def _finish(
    ports: Ports,
    scope: Scope,
    job: Job,
    status: str,
    error: str | None,
    *,
    waits_for_room: bool = False,
) -> None:
    async with ports.db.transaction(scope) as tx:
        await job_store.finish(tx, job.id, status, error, waits_for_room=waits_for_room)


def _reason(error: Exception) -> str:
    """The error message, as far as the database can store it. An unexpected error may quote
    anything, including a user's text, so only its type is given; the log has the rest."""
    text = str(error)
    if not isinstance(error, RememError):
        text = (
            f"An unexpected error stopped the work ({type(error).__name__}); see the server's log"
        )
    return text.replace("\x00", "").encode(errors="replace").decode()[:ERROR_LIMIT]
