"""Pairs of memories of which the newer may replace the older: a person says which one is true."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Literal, TypeAlias
from uuid import UUID

from remem.core.errors import Conflict, Invalid, NotFound
from remem.core.events.record import record
from remem.core.graph.link import add_links, delete_link, links_of
from remem.core.graph.model import Link, RelationName
from remem.core.index.kinds import MEMORY
from remem.core.memories import contradiction_store, memory_store
from remem.core.memories.index_memory import retire
from remem.core.memories.lifecycle import set_lifecycle
from remem.core.memories.memory_page_store import ASKED_DAYS
from remem.core.memories.memory_store import Place
from remem.core.memories.model import Memory
from remem.core.ports import Ports
from remem.core.projects.manage import lock_project
from remem.core.projects.resolve import resolve_all
from remem.core.scope import Scope
from remem.core.time import now
from remem.core.transaction import Tx

# Which memory of a pair is true; `open` asks again.
Truth: TypeAlias = Literal["newer", "older", "both", "open"]
_PAIR_RELATIONS: tuple[RelationName, ...] = ("contradicts", "updates", "related")


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Two current memories, and the probability that the newer replaces the older."""

    id: UUID
    newer: Memory
    older: Memory
    confidence: float


@dataclass(frozen=True, slots=True)
class ContradictionPage:
    contradictions: list[Contradiction]
    total: int
    next: Place | None


async def list_contradictions(
    ports: Ports, scope: Scope, project: str | UUID | None, before: Place | None, limit: int
) -> ContradictionPage:
    """A page of open pairs, those found last first."""
    # A pair that nobody looked at for so long is no longer asked about; both memories stay.
    since = now() - timedelta(days=ASKED_DAYS)
    async with ports.db.transaction(scope) as tx:
        projects = await resolve_all(tx, project)
        rows = await contradiction_store.page(tx, since, projects, before, limit + 1)
        total = await contradiction_store.count(tx, since, projects)
        shown = rows[:limit]
        ids = {id for row in shown for id in (row["from_id"], row["to_id"])}
        memories = {memory.id: memory for memory in await memory_store.find_many(tx, list(ids))}
    pairs = [
        Contradiction(
            row["id"], memories[row["from_id"]], memories[row["to_id"]], row["confidence"]
        )
        for row in shown
        if row["from_id"] in memories and row["to_id"] in memories
    ]
    last = (rows[limit - 1]["created_at"], rows[limit - 1]["id"]) if len(rows) > limit else None
    return ContradictionPage(pairs, total, last)


async def settle(ports: Ports, scope: Scope, newer_id: UUID, older_id: UUID, truth: Truth) -> None:
    """Say which memory of a pair is true. The other one is outdated from now on, and kept as
    history; `open` makes it current again and asks once more."""
    if newer_id == older_id:
        raise Invalid("older_id", "is the same memory as newer_id; send both ids of a pair")
    for ended in await _outdated_of(ports, scope, newer_id, older_id):
        # Also when it is decided otherwise than before.
        await set_lifecycle(ports, scope, ended, "active", None)
    async with ports.db.transaction(scope) as tx:
        newer = await memory_store.require(tx, newer_id)
    async with ports.db.transaction(scope, turn=newer.project_id) as tx:
        await lock_project(tx, newer.project_id)
        newer, older = [await memory_store.require(tx, id) for id in (newer_id, older_id)]
        await _delete_pair(tx, newer, older)
        await add_links(tx, [_link(newer, older, truth)])
        await record(tx, MEMORY, newer.id, "settle", {"older": str(older.id), "true": truth})
        if truth in ("newer", "older"):
            kept, ended = (newer, older) if truth == "newer" else (older, newer)
            await _end(ports, tx, kept, ended)


async def _outdated_of(ports: Ports, scope: Scope, newer_id: UUID, older_id: UUID) -> list[UUID]:
    """The memory of the pair that an earlier decision made outdated."""
    async with ports.db.transaction(scope) as tx:
        links = await _pair_links(tx, newer_id, older_id)
        memories = await memory_store.find_many(tx, [newer_id, older_id])
    # Versions of one memory are restored, not settled.
    if not links or len({memory.root_id for memory in memories}) < 2:
        raise NotFound("pair", newer_id)
    ended = {link.to_id for link in links if link.relation == "updates"}
    return [memory.id for memory in memories if memory.id in ended and memory.state == "superseded"]


async def _end(ports: Ports, tx: Tx, kept: Memory, ended: Memory) -> None:
    for memory in (kept, ended):
        if not memory.is_shown:
            raise Conflict(
                f"The memory {memory.id} is an old version, or not active; settle what is current.",
                code="not_current",
            )
    await retire(ports, tx, ended, ends=True)
    await record(tx, MEMORY, ended.id, "supersede", {"by": str(kept.id)})


def _link(newer: Memory, older: Memory, truth: Truth) -> Link:
    match truth:
        case "newer":
            ends, relation = (newer, older), "updates"
        case "older":
            ends, relation = (older, newer), "updates"
        case "both":
            ends, relation = (newer, older), "related"
        case "open":
            ends, relation = (newer, older), "contradicts"
    first, second = ends
    return Link(MEMORY, first.id, MEMORY, second.id, relation, valid_from=now())


async def _delete_pair(tx: Tx, newer: Memory, older: Memory) -> None:
    for link in await _pair_links(tx, newer.id, older.id):
        await delete_link(tx, link)


async def _pair_links(tx: Tx, first: UUID, second: UUID) -> Sequence[Link]:
    links = await links_of(tx, MEMORY, [first], _PAIR_RELATIONS)
    return [link for link in links if {link.from_id, link.to_id} == {first, second}]
