"""What a memory is linked to, step by step, within bounds."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from remem.core.db import Tx
from remem.core.errors import Invalid
from remem.core.graph.link import companions_of, links_of
from remem.core.graph.model import RELATIONS, Link
from remem.core.index.kinds import MEMORY
from remem.core.memories import store
from remem.core.memories.model import Memory
from remem.core.ports import Ports
from remem.core.scope import Scope

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
    """Nearest first, each once; what is hidden is neither given nor walked through."""
    _check(depth, relations)
    async with ports.db.transaction(scope) as tx:
        await store.require(tx, scope, id)
        found: dict[UUID, Related] = {}
        frontier = [id]
        for step in range(1, depth + 1):
            room = FOUND_LIMIT - len(found)
            if not room:
                break
            reached = await _step(tx, scope, frontier, relations, {id, *found}, room)
            some = [Related(memory, link, step) for memory, link in reached]
            found |= {one.memory.id: one for one in some}
            frontier = [one.memory.id for one in some]
    return list(found.values())


async def related_of(ports: Ports, scope: Scope, ids: Sequence[UUID]) -> dict[UUID, list[Related]]:
    """What each of several memories is linked to directly, surest first."""
    found: dict[UUID, list[Related]] = {id: [] for id in ids}
    async with ports.db.transaction(scope) as tx:
        links = [link for link in await links_of(tx, scope, MEMORY, ids) if _joins_memories(link)]
        others = {end for link in links for end in (link.from_id, link.to_id)}
        there = {memory.id: memory for memory in await store.find_many(tx, scope, list(others))}
    for link in links:
        for here, end in ((link.from_id, link.to_id), (link.to_id, link.from_id)):
            memory = there.get(end)
            if here in found and memory and memory.state != "quarantined":
                found[here].append(Related(memory, link, 1))
    return found


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
    tx: Tx,
    scope: Scope,
    frontier: Sequence[UUID],
    relations: Sequence[str],
    seen: set[UUID],
    room: int,
) -> list[tuple[Memory, Link]]:
    ways: dict[UUID, Link] = {}
    here = set(frontier)
    for link in await links_of(tx, scope, MEMORY, frontier, relations):
        outward = link.from_kind == MEMORY and link.from_id in here
        kind, id = (link.to_kind, link.to_id) if outward else (link.from_kind, link.from_id)
        if kind == MEMORY and id not in seen:
            ways.setdefault(id, link)
    if not relations or "mentions" in relations:
        for link in await companions_of(tx, scope, frontier):
            if link.to_id not in seen:
                ways.setdefault(link.to_id, link)
    found = await _shown(tx, scope, list(ways), room)
    return [(memory, ways[memory.id]) for memory in found]


async def _shown(tx: Tx, scope: Scope, ids: Sequence[UUID], room: int) -> list[Memory]:
    """The first of these that are not hidden; no more are read than are needed."""
    found: list[Memory] = []
    for start in range(0, len(ids), room):
        some = await store.find_many(tx, scope, ids[start : start + room])
        found += [memory for memory in some if memory.state != "quarantined"]
        if len(found) >= room:
            break
    return found[:room]
