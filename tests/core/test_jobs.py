"""Jobs: queued with their cause, and their fate recorded where their tenant sees it."""

from dataclasses import replace
from uuid import UUID

import pytest

from remem.core.db import Row
from remem.core.errors import Unavailable
from remem.core.jobs.enqueue import enqueue
from remem.core.jobs.run import ERROR_LIMIT, Deadly, run
from remem.core.ports import ATTEMPTS, ATTEMPTS_WHEN_DOWN, LOSSES, Job, Ports
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

    await run(ports, job, work)
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
    ],
)
async def test_a_job_that_fails_says_why_and_whether_for_good(
    ports: Ports, scope: Scope, attempt: int, error: Exception, status: str
) -> None:
    job = replace(await queued(ports, scope), attempt=attempt)

    async def work(ports: Ports, scope: Scope, subject: UUID) -> None:
        raise error

    with pytest.raises(type(error), match="broken"):
        await run(ports, job, work)
    assert await fate(ports, scope, job) == (status, attempt, "broken", status == "failed")


async def test_a_job_that_kills_its_process_is_not_begun_again(ports: Ports, scope: Scope) -> None:
    job = replace(await queued(ports, scope), attempt=LOSSES + 1, lost=LOSSES)
    given_up: list[tuple[UUID, str]] = []

    async def work(ports: Ports, scope: Scope, subject: UUID) -> None:
        raise AssertionError("begun")

    async def give_up(ports: Ports, scope: Scope, subject: UUID, reason: str) -> None:
        given_up.append((subject, reason))

    with pytest.raises(Deadly) as refused:
        await run(ports, job, work, give_up)
    reason = str(refused.value)
    assert f"ended the process {LOSSES} times" in reason
    assert given_up == [(job.subject_id, reason)]
    assert await fate(ports, scope, job) == ("failed", LOSSES + 1, reason, True)


async def test_nothing_is_given_up_that_is_tried_again(ports: Ports, scope: Scope) -> None:
    job = replace(await queued(ports, scope), attempt=LOSSES, lost=LOSSES - 1)

    async def work(ports: Ports, scope: Scope, subject: UUID) -> None:
        raise ValueError("broken")

    async def give_up(ports: Ports, scope: Scope, subject: UUID, reason: str) -> None:
        raise AssertionError("given up")

    with pytest.raises(ValueError, match="broken"):
        await run(ports, job, work, give_up)
    assert await fate(ports, scope, job) == ("pending", LOSSES, "broken", False)


async def test_a_job_that_recovers_forgets_its_error(ports: Ports, scope: Scope) -> None:
    job = await queued(ports, scope)

    async def fail(ports: Ports, scope: Scope, subject: UUID) -> None:
        raise ValueError("x" * (ERROR_LIMIT + 1))

    async def succeed(ports: Ports, scope: Scope, subject: UUID) -> None: ...

    with pytest.raises(ValueError, match="x"):
        await run(ports, job, fail)
    _, _, error, _ = await fate(ports, scope, job)
    assert error == "x" * ERROR_LIMIT
    await run(ports, job, succeed)
    assert await fate(ports, scope, job) == ("completed", 1, None, True)


@pytest.mark.parametrize(
    ("says", "kept"), [("a\x00b", "ab"), ("a\ud800b", "a?b"), ("", "ValueError")]
)
async def test_an_error_that_cannot_be_kept_as_it_is_is_kept_all_the_same(
    ports: Ports, scope: Scope, says: str, kept: str
) -> None:
    job = await queued(ports, scope)

    async def fail(ports: Ports, scope: Scope, subject: UUID) -> None:
        raise ValueError(says)

    with pytest.raises(ValueError):
        await run(ports, job, fail)
    assert await fate(ports, scope, job) == ("pending", 1, kept, False)
