"""Queue work inside the transaction that causes it."""

from datetime import timedelta
from uuid import UUID

from remem.core.jobs import job_store
from remem.core.ports import Ports
from remem.core.queued import Job
from remem.core.time import new_id
from remem.core.transaction import Tx


async def enqueue(
    ports: Ports,
    tx: Tx,
    name: str,
    subject_id: UUID,
    delay: timedelta | None = None,
    priority: int = 0,
    *,
    large: bool = False,
) -> UUID:
    """Tenants take turns: a job counts as a second later for each job of its tenant that waits, and
    for each point that its `priority` is below 0."""
    job = Job(
        id=new_id(),
        name=name,
        tenant_id=tx.scope.tenant_id,
        user_id=tx.scope.user_id,
        subject_id=subject_id,
    )
    await job_store.insert(tx, job.id, name, subject_id)
    turn = await job_store.next_turn(tx) - priority
    await ports.queue.enqueue(tx, job, delay=delay, priority=-turn, large=large)
    return job.id


async def enqueue_rest(ports: Ports, tx: Tx, job: Job, *, large: bool = True) -> None:
    """Queue a job that did a part of its work behind the others that wait, as the same job."""
    turn = await job_store.next_turn(tx)
    await ports.queue.enqueue(tx, job, priority=-turn, large=large)


async def enqueue_unless_pending(ports: Ports, tx: Tx, name: str, subject_id: UUID) -> UUID:
    """The id of a job that sees what this transaction writes: one that has not started, or a new
    one. A running job may have read its subject already."""
    pending = await job_store.lock_pending(tx, name, subject_id)
    return pending or await enqueue(ports, tx, name, subject_id)


async def resume_waiting_for_room(ports: Ports, tx: Tx, limit: int) -> int:
    """Queue jobs again that stopped at the plan's limit, the oldest first; return how many."""
    rows = await job_store.take_waiting_for_room(tx, limit)
    turn = await job_store.next_turn(tx) + 10
    for place, row in enumerate(sorted(rows, key=lambda row: row["id"])):
        job = Job(tenant_id=tx.scope.tenant_id, **dict(row))
        await ports.queue.enqueue(tx, job, priority=-(turn + place))
    return len(rows)


async def find_underway(tx: Tx, name: str, subject_id: UUID) -> UUID | None:
    """A job with that name and subject that is pending or running."""
    return await job_store.underway(tx, name, subject_id)
