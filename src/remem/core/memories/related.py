"""The memories that a memory is linked to, up to a number of steps."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from remem.core.errors import Invalid
from remem.core.graph.link import companions_of, links_of
from remem.core.graph.model import RELATIONS, Link
from remem.core.index.kinds import MEMORY
from remem.core.memories import memory_store
from remem.core.memories.model import Memory
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.core.transaction import Tx

DEPTH_LIMIT = 3
FOUND_LIMIT = 100


@dataclass(frozen=True, slots=True)
class Related:
    """A memory, the link that led to it and how many steps away it is."""

    memory: Memory
    link: Link
    depth: int


async def related_memories(
    ports: Ports, scope: Scope, id: UUID, depth: int = 1, relations: Sequence[str] = ()
) -> list[Related]:
    """The linked memories, nearest first, each once; hidden ones are left out with all that is
    reached only through them."""
    _check(depth, relations)
    async with ports.db.transaction(scope) as tx:
        await memory_store.require(tx, id)
        related: dict[UUID, Related] = {}
        frontier = [id]
        for step in range(1, depth + 1):
            remaining = FOUND_LIMIT - len(related)
            if not remaining:
                break
            linked = await _step(tx, frontier, relations, {id, *related}, remaining)
            new = [Related(memory, link, step) for memory, link in linked]
            related |= {item.memory.id: item for item in new}
            frontier = [item.memory.id for item in new]
    return list(related.values())


async def related_of(ports: Ports, scope: Scope, ids: Sequence[UUID]) -> dict[UUID, list[Related]]:
    """The memories that each memory is linked to directly, most confident first."""
    related: dict[UUID, list[Related]] = {id: [] for id in ids}
    async with ports.db.transaction(scope) as tx:
        links = [link for link in await links_of(tx, MEMORY, ids) if _joins_memories(link)]
        others = {end for link in links for end in (link.from_id, link.to_id)}
        memories = {memory.id: memory for memory in await memory_store.find_many(tx, list(others))}
    for link in links:
        for id, end in ((link.from_id, link.to_id), (link.to_id, link.from_id)):
            memory = memories.get(end)
            if id in related and memory and memory.state != "quarantined":
                related[id].append(Related(memory, link, 1))
    return related


def _joins_memories(link: Link) -> bool:
    return link.from_kind == MEMORY and link.to_kind == MEMORY


def _check(depth: int, relations: Sequence[str]) -> None:
    if not 1 <= depth <= DEPTH_LIMIT:
        raise Invalid("depth", f"use 1 to {DEPTH_LIMIT}")
    if unknown := [name for name in relations if name not in RELATIONS]:
        raise Invalid(
            "relation", f"{unknown[0]!r} is not a relation; use one of: {', '.join(RELATIONS)}"
        )


async def _step(
    tx: Tx, frontier: Sequence[UUID], relations: Sequence[str], seen: set[UUID], limit: int
) -> list[tuple[Memory, Link]]:
    links_by_id: dict[UUID, Link] = {}
    start_ids = set(frontier)
    for link in await links_of(tx, MEMORY, frontier, relations):
        outward = link.from_kind == MEMORY and link.from_id in start_ids
        kind, id = (link.to_kind, link.to_id) if outward else (link.from_kind, link.from_id)
        if kind == MEMORY and id not in seen:
            links_by_id.setdefault(id, link)
    if not relations or "mentions" in relations:
        for link in await companions_of(tx, frontier):
            if link.to_id not in seen:
                links_by_id.setdefault(link.to_id, link)
    memories = await _shown(tx, list(links_by_id), limit)
    return [(memory, links_by_id[memory.id]) for memory in memories]


async def _shown(tx: Tx, ids: Sequence[UUID], limit: int) -> list[Memory]:
    """The first `limit` of the memories that are not hidden, read in batches."""
    shown: list[Memory] = []
    for start in range(0, len(ids), limit):
        batch = await memory_store.find_many(tx, ids[start : start + limit])
        shown += [memory for memory in batch if memory.state != "quarantined"]
        if len(shown) >= limit:
            break
    return shown[:limit]
