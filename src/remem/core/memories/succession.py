"""Which memory replaces which, when one of them goes or comes back."""

from uuid import UUID

from remem.core.db import Tx
from remem.core.events.record import record
from remem.core.graph.link import join, links_of
from remem.core.graph.model import Link
from remem.core.index.kinds import MEMORY
from remem.core.memories import store
from remem.core.memories.evidence import places_of
from remem.core.memories.index_memory import index_memory, unindex_memory
from remem.core.memories.model import DISTIL, Memory
from remem.core.memories.versions import store as version_store
from remem.core.memories.versions.add import succeed
from remem.core.ports import Ports
from remem.core.scope import Scope


async def erase_one(ports: Ports, tx: Tx, scope: Scope, memory: Memory) -> None:
    """What replaced it replaces what it had replaced; where nothing did, that is valid again."""
    older = await _replaced_by_it(tx, scope, memory)
    newer = await _replacing(tx, scope, memory.id)
    await unindex_memory(ports, tx, scope, memory)
    await version_store.bridge(tx, scope, memory.id, memory.supersedes_id)
    await version_store.erase_one(tx, scope, memory.id)
    await record(tx, scope, MEMORY, memory.id, "erase")
    if newer:
        await join(tx, scope, [_updates(one, id) for one in newer for id in older])
    elif memory.deleted_at is None and memory.state != "quarantined":
        for id in older:
            await make_current_again(ports, tx, scope, id, "document_erased")


async def make_current_again(ports: Ports, tx: Tx, scope: Scope, id: UUID, reason: str) -> None:
    """Unless something replaces it, or nothing says it any more."""
    memory = await store.find(tx, scope, id)
    if memory is None or await _replacing(tx, scope, id):
        return
    if await _can_be_current(tx, scope, memory):
        awake = await store.change(tx, scope, id, {"state": "active", "is_current": True})
        await index_memory(ports, tx, scope, awake, None)
        await record(tx, scope, MEMORY, id, "restore", {"reason": reason})


async def repeat_replaced(ports: Ports, tx: Tx, scope: Scope, ended: Memory) -> None:
    """One has ended, and stays as a version: what it had replaced is said again behind it."""
    for id in await _replaced_by_it(tx, scope, ended):
        memory = await store.find(tx, scope, id)
        if memory is None or any(one.id != ended.id for one in await _replacing(tx, scope, id)):
            continue
        if await _can_be_current(tx, scope, memory):
            again = await succeed(ports, tx, scope, memory, {}, None)
            data = {"reason": "document_changed", "of": str(memory.id)}
            await record(tx, scope, MEMORY, again.id, "restore", data)


async def _can_be_current(tx: Tx, scope: Scope, memory: Memory) -> bool:
    if memory.state != "superseded" or memory.part_of or await _is_merged(tx, scope, memory.id):
        return False
    if await store.find_same(tx, scope, memory.project_id, memory.content_hash):
        return False
    if memory.source != DISTIL or memory.context.get("review") == "accepted":
        return True
    documents = [place.document_id for place in places_of(memory)]
    return await store.any_latest(tx, scope, documents)


async def _replaced_by_it(tx: Tx, scope: Scope, memory: Memory) -> list[UUID]:
    """The member of its chain before it, and those of other chains."""
    links = await links_of(tx, scope, MEMORY, [memory.id], ["updates"])
    ids = [memory.supersedes_id, *(link.to_id for link in links if link.from_id == memory.id)]
    return [id for id in dict.fromkeys(ids) if id]


async def _replacing(tx: Tx, scope: Scope, id: UUID) -> list[Memory]:
    links = await links_of(tx, scope, MEMORY, [id], ["updates"])
    linked = [link.from_id for link in links if link.to_id == id]
    return await version_store.successors(tx, scope, id, linked)


async def _is_merged(tx: Tx, scope: Scope, id: UUID) -> bool:
    links = await links_of(tx, scope, MEMORY, [id], ["merged_into"])
    return any(link.from_id == id for link in links)


def _updates(memory: Memory, old_id: UUID) -> Link:
    return Link(MEMORY, memory.id, MEMORY, old_id, "updates", valid_from=memory.valid_since)
