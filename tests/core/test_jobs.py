"""Jobs: queued with their cause, and their fate recorded where their tenant sees it."""

import asyncio
from dataclasses import replace
from uuid import UUID

import pytest

from remem.core.db import Row
from remem.core.errors import FetchFailed, Invalid, RememError, Unavailable, Unreadable
from remem.core.jobs.enqueue import enqueue
from remem.core.jobs.run import ERROR_LIMIT, CrashLoop, DeadlinePassed, Failure, JobKind, Work, run
from remem.core.ports import Ports
from remem.core.queued import ATTEMPTS, ATTEMPTS_WHEN_DOWN, MAX_LOSSES, Job
from remem.core.scope import Scope
from remem.core.time import new_id

pytestmark = pytest.mark.anyio

NAME = "a_job_that_no_worker_knows"


async def queued(ports: Ports, scope: Scope) -> Job:
    subject = new_id()
    async with ports.db.transaction(scope) as tx:
        id = await enqueue(ports, tx, scope, NAME, subject)
    return Job(id, NAME, scope.tenant_id, scope.user_id, subject)


async def row_of(ports: Ports, scope: Scope, id: UUID) -> Row | None:
    async with ports.db.transaction(scope) as tx:
        return await tx.fetchrow("SELECT * FROM jobs WHERE id = $1", id)


async def fate(ports: Ports, scope: Scope, job: Job) -> tuple[str, int, str | None, bool]:
    row = await row_of(ports, scope, job.id)
    assert row is not None
    return row["status"], row["attempts"], row["error"], row["finished_at"] is not None


async def test_a_queued_job_is_pending(ports: Ports, scope: Scope) -> None:
    job = await queued(ports, scope)
    assert await fate(ports, scope, job) == ("pending", 0, None, False)


async def test_a_job_whose_cause_was_rolled_back_was_never_there(
    ports: Ports, scope: Scope
) -> None:
    with pytest.raises(RuntimeError):
        async with ports.db.transaction(scope) as tx:
            id = await enqueue(ports, tx, scope, NAME, new_id())
            raise RuntimeError
    assert await row_of(ports, scope, id) is None


async def test_a_job_that_is_done_says_so(ports: Ports, scope: Scope) -> None:
    job = await queued(ports, scope)
    seen: list[object] = []

    async def work(ports: Ports, whose: Scope, subject: UUID) -> None:
        seen.append((whose.tenant_id, whose.user_id, subject))
        assert await fate(ports, whose, job) == ("processing", 1, None, False)

    await run(ports, job, JobKind(work))
    assert seen == [(scope.tenant_id, scope.user_id, job.subject_id)]
    assert await fate(ports, scope, job) == ("completed", 1, None, True)


@pytest.mark.parametrize(
    ("attempt", "error", "status"),
    [
        (1, ValueError("broken"), "pending"),
        (ATTEMPTS - 1, ValueError("broken"), "pending"),
        (ATTEMPTS, ValueError("broken"), "failed"),
        (ATTEMPTS, Unavailable("broken"), "pending"),
        (ATTEMPTS_WHEN_DOWN, Unavailable("broken"), "failed"),
        (1, Unreadable("broken"), "failed"),
        (1, FetchFailed("broken"), "failed"),
        (1, Invalid("url", "broken"), "failed"),
    ],
)
async def test_a_job_that_fails_says_why_and_whether_for_good(
    ports: Ports, scope: Scope, attempt: int, error: Exception, status: str
) -> None:
    job = replace(await queued(ports, scope), attempt=attempt)
    shown = Shown()
    with pytest.raises(type(error), match="broken"):
        await run(ports, job, JobKind(raising(error), on_failure=shown))
    row = await row_of(ports, scope, job.id)
    # What was not expected may quote somebody's text, and is named alone.
    words = "broken" if isinstance(error, RememError) else "(ValueError)"
    assert row is not None and words in row["error"]
    assert (row["status"], row["attempts"]) == (status, attempt)
    assert (row["finished_at"] is not None) is (status == "failed")
    assert shown.failures == [(job.subject_id, Failure(row["error"], status == "failed"))]


class Shown:
    """Stands for the subject of a job, and keeps what is shown on it."""

    def __init__(self) -> None:
        self.failures: list[tuple[UUID, Failure]] = []

    async def __call__(self, ports: Ports, scope: Scope, subject: UUID, failure: Failure) -> None:
        self.failures.append((subject, failure))


def raising(error: Exception) -> Work:
    async def work(ports: Ports, scope: Scope, subject: UUID) -> None:
        raise error

    return work


async def test_a_job_that_kills_its_process_is_not_begun_again(ports: Ports, scope: Scope) -> None:
    job = replace(await queued(ports, scope), attempt=MAX_LOSSES + 1, lost=MAX_LOSSES)
    shown = Shown()
    with pytest.raises(CrashLoop) as refused:
        await run(ports, job, JobKind(raising(AssertionError("begun")), on_failure=shown))
    reason = str(refused.value)
    assert f"ended the process {MAX_LOSSES} times" in reason
    assert shown.failures == [(job.subject_id, Failure(reason, True))]
    assert await fate(ports, scope, job) == ("failed", MAX_LOSSES + 1, reason, True)


async def test_an_attempt_has_a_deadline(ports: Ports, scope: Scope) -> None:
    job = replace(await queued(ports, scope), attempt=ATTEMPTS)

    async def hang(ports: Ports, scope: Scope, subject: UUID) -> None:
        await asyncio.Event().wait()

    with pytest.raises(DeadlinePassed):
        await run(ports, job, JobKind(hang, deadline_s=0.01))
    status, _, error, is_over = await fate(ports, scope, job)
    assert (status, is_over) == ("failed", True)
    assert error and "took longer" in error


async def test_a_timeout_of_the_work_itself_is_not_the_deadline(ports: Ports, scope: Scope) -> None:
    with pytest.raises(TimeoutError):
        await run(ports, await queued(ports, scope), JobKind(raising(TimeoutError())))


async def test_a_failure_that_cannot_be_recorded_is_not_final(ports: Ports, scope: Scope) -> None:
    """Or the queue would drop a job that still says that it is being worked on."""
    job = replace(await queued(ports, scope), attempt=ATTEMPTS)

    async def cannot_show(ports: Ports, scope: Scope, subject: UUID, failure: Failure) -> None:
        raise OSError("the connection broke")

    with pytest.raises(Unavailable) as raised:
        await run(ports, job, JobKind(raising(ValueError("broken")), on_failure=cannot_show))
    assert not job.is_last(raised.value)


async def test_a_job_that_recovers_forgets_its_error(ports: Ports, scope: Scope) -> None:
    job = await queued(ports, scope)

    async def succeed(ports: Ports, scope: Scope, subject: UUID) -> None: ...

    with pytest.raises(Unavailable):
        await run(ports, job, JobKind(raising(Unavailable("x" * (ERROR_LIMIT + 1)))))
    _, _, error, _ = await fate(ports, scope, job)
    assert error == "x" * ERROR_LIMIT
    await run(ports, job, JobKind(succeed))
    assert await fate(ports, scope, job) == ("completed", 1, None, True)


@pytest.mark.parametrize(
    "says", ["a\x00b", "a\ud800b", "", "Failing row contains (the diary of Ada)"]
)
async def test_an_unexpected_error_is_named_and_its_words_are_not_kept(
    ports: Ports, scope: Scope, says: str
) -> None:
    job = await queued(ports, scope)
    with pytest.raises(ValueError):
        await run(ports, job, JobKind(raising(ValueError(says))))
    status, attempts, error, is_over = await fate(ports, scope, job)
    assert (status, attempts, is_over) == ("pending", 1, False)
    assert error == "An unexpected error stopped the work (ValueError); see the server's log"
