"""Move vectors to an index outside PostgreSQL and back, while everything else goes on."""

from collections.abc import Callable
from dataclasses import dataclass, field
from uuid import UUID

from remem.core.errors import Conflict
from remem.core.identity.everyone import every_tenant
from remem.core.ports import IndexCounts, Ports, VectorCopy
from remem.core.scope import Scope

# Others save meanwhile, so that the two counts may be of different moments.
COUNTS = 10


@dataclass(frozen=True, slots=True)
class MovedVectors:
    """How many tenants and vectors there are, how many of these the index has, and of which
    tenants it has another number."""

    tenants: int = 0
    stored: int = 0
    indexed: int = 0
    waiting: int = 0
    differing: list[UUID] = field(default_factory=list)


async def fill_copy(ports: Ports, progress: Callable[[int, int | None], None]) -> MovedVectors:
    """Write every vector to the index and compare the counts, tenant by tenant. From its first
    moment on, what others change is written there too."""
    copy = _copy(ports)
    total = done = 0
    async for scope in every_tenant(ports):
        async with ports.db.transaction(scope) as tx:
            await copy.mark_all(tx, scope)
            total += await copy.waiting(tx, scope)
    async for scope in every_tenant(ports):
        while carried := await copy.catch_up(scope):
            done += carried
            progress(done, max(done, total))
    await copy.note_filled()
    return await count_vectors(ports)


async def count_vectors(ports: Ports) -> MovedVectors:
    """What PostgreSQL has and what the index has."""
    copy = _copy(ports)
    counts: dict[UUID, IndexCounts] = {}
    async for scope in every_tenant(ports):
        counts[scope.tenant_id] = await _settled(ports, copy, scope)
    return MovedVectors(
        tenants=len(counts),
        stored=sum(one.stored for one in counts.values()),
        indexed=sum(one.indexed for one in counts.values()),
        waiting=sum(one.waiting for one in counts.values()),
        differing=[id for id, one in counts.items() if one.stored != one.indexed],
    )


async def _settled(ports: Ports, copy: VectorCopy, scope: Scope) -> IndexCounts:
    for _ in range(COUNTS):
        async with ports.db.transaction(scope) as tx:
            counts = await copy.count(tx, scope)
        if counts.stored == counts.indexed and not counts.waiting:
            break
        await copy.catch_up(scope)
    return counts


async def end_copy(ports: Ports) -> None:
    """Stop writing to the index, and remove it."""
    copy = _copy(ports)
    await copy.end()
    async for scope in every_tenant(ports):
        async with ports.db.transaction(scope) as tx:
            await copy.clear(tx, scope)


def _copy(ports: Ports) -> VectorCopy:
    if ports.vector_copy is None:
        raise Conflict("There is no index outside PostgreSQL; set the address of one.")
    return ports.vector_copy
