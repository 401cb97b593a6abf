"""Copy changed vectors to an index outside PostgreSQL that was not available at once."""

from uuid import UUID

from remem.core.identity.everyone import every_tenant
from remem.core.jobs.enqueue import enqueue, find_underway
from remem.core.ports import Ports, VectorCopy
from remem.core.scope import Scope

JOB = "index_vectors"


async def index_vectors(ports: Ports, scope: Scope, subject_id: UUID) -> None:
    """The job: while the index is down it fails, and is retried later."""
    while ports.vector_copy and await ports.vector_copy.catch_up(scope):
        continue


async def queue_indexing(ports: Ports, scope: Scope) -> None:
    """Queue one job for all waiting vectors, unless one is pending or running."""
    async with ports.db.transaction(scope) as tx:
        if await find_underway(tx, JOB, scope.tenant_id) is None:
            await enqueue(ports, tx, JOB, scope.tenant_id, large=True)


async def complete_copy(ports: Ports) -> int:
    """Queue a job for every tenant with vectors missing in the index, and delete those of deleted
    tenants. Return the number of jobs."""
    copy = ports.vector_copy
    if copy is None:
        return 0
    count = 0
    is_empty = copy.needs_filling
    async for scope in every_tenant(ports):
        if is_empty:
            await _mark_all(ports, copy, scope)
        if await _has_waiting(ports, copy, scope):
            await queue_indexing(ports, scope)
            count += 1
    if is_empty:
        await copy.note_filled()
    await copy.erase_tenants()
    return count


async def _mark_all(ports: Ports, copy: VectorCopy, scope: Scope) -> None:
    async with ports.db.transaction(scope) as tx:
        await copy.mark_all(tx)


async def _has_waiting(ports: Ports, copy: VectorCopy, scope: Scope) -> bool:
    async with ports.db.transaction(scope) as tx:
        return await copy.waiting(tx) > 0
