"""Queue work inside the transaction that causes it."""

from datetime import timedelta
from uuid import UUID

from remem.core.db import Tx
from remem.core.jobs import store
from remem.core.ports import Ports
from remem.core.queued import Job
from remem.core.scope import Scope
from remem.core.time import new_id


async def enqueue(
    ports: Ports,
    tx: Tx,
    scope: Scope,
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
        tenant_id=scope.tenant_id,
        user_id=scope.user_id,
        subject_id=subject_id,
    )
    await store.insert(tx, scope, job.id, name, subject_id)
    turn = await store.next_turn(tx, scope) - priority
    await ports.queue.enqueue(tx, job, delay=delay, priority=-turn, large=large)
    return job.id


async def enqueue_rest(ports: Ports, tx: Tx, scope: Scope, job: Job, *, large: bool = True) -> None:
    """Queue a job that did a part of its work behind the others that wait, as the same job."""
    turn = await store.next_turn(tx, scope)
    await ports.queue.enqueue(tx, job, priority=-turn, large=large)


async def enqueue_unless_pending(
    ports: Ports, tx: Tx, scope: Scope, name: str, subject_id: UUID
) -> UUID:
    """The id of a job that sees what this transaction writes: one that has not started, or a new
    one. A running job may have read its subject already."""
    pending = await store.lock_pending(tx, scope, name, subject_id)
    return pending or await enqueue(ports, tx, scope, name, subject_id)


async def resume_waiting_for_room(ports: Ports, tx: Tx, scope: Scope, limit: int) -> int:
    """Queue jobs again that stopped at the plan's limit, the oldest first; return how many."""
    rows = await store.take_waiting_for_room(tx, scope, limit)
    turn = await store.next_turn(tx, scope) + 10
    for place, row in enumerate(sorted(rows, key=lambda row: row["id"])):
        job = Job(tenant_id=scope.tenant_id, **dict(row))
        await ports.queue.enqueue(tx, job, priority=-(turn + place))
    return len(rows)


async def find_underway(tx: Tx, scope: Scope, name: str, subject_id: UUID) -> UUID | None:
    """A job with that name and subject that is pending or running."""
    return await store.underway(tx, scope, name, subject_id)
