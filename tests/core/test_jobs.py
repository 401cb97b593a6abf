"""Jobs: queued in the transaction that causes them, with an outcome that their tenant can see."""

import asyncio
from dataclasses import replace
from uuid import UUID

import pytest

from remem.core.errors import FetchFailed, Invalid, RememError, Unavailable, Unreadable
from remem.core.jobs.enqueue import enqueue
from remem.core.jobs.run import ERROR_LIMIT, CrashLoop, DeadlinePassed, Failure, JobKind, Work, run
from remem.core.ports import Ports
from remem.core.queued import ATTEMPTS, ATTEMPTS_WHEN_DOWN, MAX_LOSSES, Job
from remem.core.scope import Scope
from remem.core.time import new_id
from remem.core.transaction import Row

pytestmark = pytest.mark.anyio

NAME = "a_job_that_no_worker_knows"


async def queued_job(ports: Ports, scope: Scope) -> Job:
    subject = new_id()
    async with ports.db.transaction(scope) as tx:
        id = await enqueue(ports, tx, NAME, subject)
    return Job(id, NAME, scope.tenant_id, scope.user_id, subject)


async def row_of(ports: Ports, scope: Scope, id: UUID) -> Row | None:
    async with ports.db.transaction(scope) as tx:
        return await tx.system.fetchrow("SELECT * FROM jobs WHERE id = $1", id)


async def outcome_of(ports: Ports, scope: Scope, job: Job) -> tuple[str, int, str | None, bool]:
    row = await row_of(ports, scope, job.id)
    assert row is not None
    return row["status"], row["attempts"], row["error"], row["finished_at"] is not None


async def test_a_queued_job_is_pending(ports: Ports, scope: Scope) -> None:
    job = await queued_job(ports, scope)
    assert await outcome_of(ports, scope, job) == ("pending", 0, None, False)


async def test_a_job_is_rolled_back_with_its_transaction(ports: Ports, scope: Scope) -> None:
    with pytest.raises(RuntimeError):
        async with ports.db.transaction(scope) as tx:
            id = await enqueue(ports, tx, NAME, new_id())
            raise RuntimeError
    assert await row_of(ports, scope, id) is None


async def test_a_job_that_succeeds_is_completed(ports: Ports, scope: Scope) -> None:
    job = await queued_job(ports, scope)
    seen: list[object] = []

    async def work(ports: Ports, job_scope: Scope, subject: UUID) -> None:
        seen.append((job_scope.tenant_id, job_scope.user_id, subject))
        assert await outcome_of(ports, job_scope, job) == ("processing", 1, None, False)

    await run(ports, job, JobKind(work))
    assert seen == [(scope.tenant_id, scope.user_id, job.subject_id)]
    assert await outcome_of(ports, scope, job) == ("completed", 1, None, True)


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
async def test_a_failed_job_stores_its_error_and_whether_it_is_final(
    ports: Ports, scope: Scope, attempt: int, error: Exception, status: str
) -> None:
    job = replace(await queued_job(ports, scope), attempt=attempt)
    recorded = RecordedFailures()
    with pytest.raises(type(error), match="broken"):
        await run(ports, job, JobKind(job_that_raises(error), on_failure=recorded))
    row = await row_of(ports, scope, job.id)
    # An unexpected error may quote a user's text, so only its type is stored.
    expected_error = "broken" if isinstance(error, RememError) else "(ValueError)"
    assert row is not None and expected_error in row["error"]
    assert (row["status"], row["attempts"]) == (status, attempt)
    assert (row["finished_at"] is not None) is (status == "failed")
    assert recorded.failures == [(job.subject_id, Failure(row["error"], status == "failed"))]


class RecordedFailures:
    """Records the failures that are shown on the subject of a job."""

    def __init__(self) -> None:
        self.failures: list[tuple[UUID, Failure]] = []

    async def __call__(self, ports: Ports, scope: Scope, subject: UUID, failure: Failure) -> None:
        self.failures.append((subject, failure))


def job_that_raises(error: Exception) -> Work:
    async def work(ports: Ports, scope: Scope, subject: UUID) -> None:
        raise error

    return work


async def test_a_job_that_kills_its_process_is_not_started_again(
    ports: Ports, scope: Scope
) -> None:
    job = replace(await queued_job(ports, scope), attempt=MAX_LOSSES + 1, lost=MAX_LOSSES)
    recorded = RecordedFailures()
    with pytest.raises(CrashLoop) as refused:
        await run(
            ports, job, JobKind(job_that_raises(AssertionError("begun")), on_failure=recorded)
        )
    reason = str(refused.value)
    assert f"ended the process {MAX_LOSSES} times" in reason
    assert recorded.failures == [(job.subject_id, Failure(reason, True))]
    assert await outcome_of(ports, scope, job) == ("failed", MAX_LOSSES + 1, reason, True)


async def test_an_attempt_has_a_deadline(ports: Ports, scope: Scope) -> None:
    job = replace(await queued_job(ports, scope), attempt=ATTEMPTS)

    async def hang(ports: Ports, scope: Scope, subject: UUID) -> None:
        await asyncio.Event().wait()

    with pytest.raises(DeadlinePassed):
        await run(ports, job, JobKind(hang, deadline_s=0.01))
    status, _, error, is_over = await outcome_of(ports, scope, job)
    assert (status, is_over) == ("failed", True)
    assert error and "took longer" in error


async def test_a_timeout_inside_the_job_is_not_its_deadline(ports: Ports, scope: Scope) -> None:
    with pytest.raises(TimeoutError):
        await run(ports, await queued_job(ports, scope), JobKind(job_that_raises(TimeoutError())))


async def test_a_failure_that_cannot_be_recorded_is_not_final(ports: Ports, scope: Scope) -> None:
    """Otherwise the queue would drop a job whose row still says that it is being processed."""
    job = replace(await queued_job(ports, scope), attempt=ATTEMPTS)

    async def fail_to_show(ports: Ports, scope: Scope, subject: UUID, failure: Failure) -> None:
        raise OSError("the connection broke")

    with pytest.raises(Unavailable) as raised:
        await run(
            ports, job, JobKind(job_that_raises(ValueError("broken")), on_failure=fail_to_show)
        )
    assert not job.is_last(raised.value)


async def test_a_job_that_succeeds_later_clears_its_error(ports: Ports, scope: Scope) -> None:
    job = await queued_job(ports, scope)

    async def succeed(ports: Ports, scope: Scope, subject: UUID) -> None: ...

    with pytest.raises(Unavailable):
        await run(ports, job, JobKind(job_that_raises(Unavailable("x" * (ERROR_LIMIT + 1)))))
    _, _, error, _ = await outcome_of(ports, scope, job)
    assert error == "x" * ERROR_LIMIT
    await run(ports, job, JobKind(succeed))
    assert await outcome_of(ports, scope, job) == ("completed", 1, None, True)


@pytest.mark.parametrize(
    "message", ["a\x00b", "a\ud800b", "", "Failing row contains (the diary of Ada)"]
)
async def test_only_the_type_of_an_unexpected_error_is_stored(
    ports: Ports, scope: Scope, message: str
) -> None:
    job = await queued_job(ports, scope)
    with pytest.raises(ValueError):
        await run(ports, job, JobKind(job_that_raises(ValueError(message))))
    status, attempts, error, is_over = await outcome_of(ports, scope, job)
    assert (status, attempts, is_over) == ("pending", 1, False)
    assert error == "An unexpected error stopped the work (ValueError); see the server's log"
