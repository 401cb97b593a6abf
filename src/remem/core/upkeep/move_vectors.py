"""Move vectors to an index outside PostgreSQL and back, while the server keeps running."""

from collections.abc import Callable
from dataclasses import dataclass, field
from uuid import UUID

from remem.core.errors import Conflict
from remem.core.identity.everyone import every_tenant
from remem.core.ports import IndexCounts, Ports, VectorCopy
from remem.core.scope import Scope

# Concurrent writes can make the two counts differ, so counting is repeated up to this often.
COUNT_ATTEMPTS = 10


@dataclass(frozen=True, slots=True)
class MovedVectors:
    """The number of tenants, of vectors, of vectors in the index and of those waiting, and the
    tenants whose counts differ."""

    tenants: int = 0
    stored: int = 0
    indexed: int = 0
    waiting: int = 0
    differing: list[UUID] = field(default_factory=list)


async def fill_copy(ports: Ports, progress: Callable[[int, int | None], None]) -> MovedVectors:
    """Copy every vector to the index and compare the counts, tenant by tenant. From the start,
    concurrent changes are written to the index as well."""
    copy = _require_copy(ports)
    total = done = 0
    async for scope in every_tenant(ports):
        async with ports.db.transaction(scope) as tx:
            await copy.mark_all(tx)
            total += await copy.waiting(tx)
    async for scope in every_tenant(ports):
        while copied := await copy.catch_up(scope):
            done += copied
            progress(done, max(done, total))
    await copy.note_filled()
    return await count_vectors(ports)


async def count_vectors(ports: Ports) -> MovedVectors:
    """Count the vectors in PostgreSQL and in the index."""
    copy = _require_copy(ports)
    counts: dict[UUID, IndexCounts] = {}
    async for scope in every_tenant(ports):
        counts[scope.tenant_id] = await _stable_counts(ports, copy, scope)
    return MovedVectors(
        tenants=len(counts),
        stored=sum(count.stored for count in counts.values()),
        indexed=sum(count.indexed for count in counts.values()),
        waiting=sum(count.waiting for count in counts.values()),
        differing=[id for id, count in counts.items() if count.stored != count.indexed],
    )


async def _stable_counts(ports: Ports, copy: VectorCopy, scope: Scope) -> IndexCounts:
    for _ in range(COUNT_ATTEMPTS):
        async with ports.db.transaction(scope) as tx:
            counts = await copy.count(tx)
        if counts.stored == counts.indexed and not counts.waiting:
            break
        await copy.catch_up(scope)
    return counts


async def end_copy(ports: Ports) -> None:
    """Stop writing to the index, and delete it."""
    copy = _require_copy(ports)
    await copy.end()
    async for scope in every_tenant(ports):
        async with ports.db.transaction(scope) as tx:
            await copy.clear(tx)


def _require_copy(ports: Ports) -> VectorCopy:
    if ports.vector_copy is None:
        raise Conflict("There is no index outside PostgreSQL; set the address of one.")
    return ports.vector_copy
