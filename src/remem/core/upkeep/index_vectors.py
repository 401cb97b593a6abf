"""Carry changed vectors to an index outside PostgreSQL when that could not be done at once."""

from uuid import UUID

from remem.core.identity.everyone import every_tenant
from remem.core.jobs.enqueue import enqueue, find_underway
from remem.core.ports import Ports, VectorCopy
from remem.core.scope import Scope

JOB = "index_vectors"


async def index_vectors(ports: Ports, scope: Scope, subject_id: UUID) -> None:
    """The job. While the index is down it fails, and is tried again later."""
    while ports.vector_copy and await ports.vector_copy.catch_up(scope):
        continue


async def queue_indexing(ports: Ports, scope: Scope) -> None:
    """One job for all that waits; a job that is queued or runs does it."""
    async with ports.db.transaction(scope) as tx:
        if await find_underway(tx, scope, JOB, scope.tenant_id) is None:
            await enqueue(ports, tx, scope, JOB, scope.tenant_id)


async def complete_copy(ports: Ports) -> int:
    """Queue a job for every tenant of whom the index lacks something, and remove what belongs to
    tenants that are gone. Gives the number of jobs."""
    copy = ports.vector_copy
    if copy is None:
        return 0
    count = 0
    is_empty = copy.needs_filling
    async for scope in every_tenant(ports):
        if is_empty:
            await _mark(ports, copy, scope)
        if await _waits(ports, copy, scope):
            await queue_indexing(ports, scope)
            count += 1
    if is_empty:
        await copy.note_filled()
    await copy.erase_tenants()
    return count


async def _mark(ports: Ports, copy: VectorCopy, scope: Scope) -> None:
    async with ports.db.transaction(scope) as tx:
        await copy.mark_all(tx, scope)


async def _waits(ports: Ports, copy: VectorCopy, scope: Scope) -> bool:
    async with ports.db.transaction(scope) as tx:
        return await copy.waiting(tx, scope) > 0
