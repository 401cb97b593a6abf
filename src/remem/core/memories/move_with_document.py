"""Move the memories of a document to another project with it.

Memories that another document states too, which stays, are not moved."""

from collections.abc import Collection, Sequence
from uuid import UUID

from remem.core.events.record import record
from remem.core.graph.entities import unlink_entities
from remem.core.index.kinds import MEMORY
from remem.core.index.write import move
from remem.core.memories import memory_document_store, memory_store
from remem.core.memories.evidence import edits_of, memories_of_document, places_of
from remem.core.memories.highlights import highlight_store
from remem.core.memories.index_memory import hide_chain, link_mentions, queue_relating
from remem.core.memories.merge import merge_into
from remem.core.memories.model import DISTIL, Memory
from remem.core.memories.versions import memory_version_store
from remem.core.memories.withdraw_evidence import withdraw
from remem.core.ports import Ports
from remem.core.transaction import Tx


async def move_with_document(ports: Ports, tx: Tx, moved: Collection[UUID], to: UUID) -> list[UUID]:
    """Move the chains that only these document versions state, after the documents were moved.

    Other chains stay: documents elsewhere state them, or a person put them there. Returns the
    documents to distil again. The caller locks all projects."""
    memories = [
        memory
        for id in moved
        for find in (memories_of_document, highlight_store.of_document)
        for memory in await find(tx, id)
    ]
    roots = dict.fromkeys(memory.root_id for memory in memories if memory.project_id != to)
    to_distil: list[UUID] = [*moved]
    for root in roots:
        chain = await memory_version_store.chain(tx, root)
        if await edits_of(tx, [memory.id for memory in chain], "project"):
            continue
        if await _has_other_evidence(tx, chain, to):
            to_distil += await _withdraw(ports, tx, chain, moved)
        else:
            await _move_chain(ports, tx, chain, to)
    return to_distil


async def _has_other_evidence(tx: Tx, chain: Sequence[Memory], to: UUID) -> bool:
    ids = [memory.id for memory in chain]
    edited = await edits_of(tx, ids, "content")
    if any(not places_of(memory) and memory.id not in edited for memory in chain):
        return True
    document_ids = {place.document_id for memory in chain for place in places_of(memory)}
    return await memory_document_store.any_in_other_project(tx, ids, document_ids, to)


async def _withdraw(
    ports: Ports, tx: Tx, chain: Sequence[Memory], moved: Collection[UUID]
) -> list[UUID]:
    """Withdraw the documents from the chain; their statements are distilled again elsewhere."""
    stated = [
        memory
        for memory in reversed(chain)
        if memory.source == DISTIL and {place.document_id for place in places_of(memory)} & {*moved}
    ]
    return await withdraw(ports, tx, stated, moved, "document_moved")


async def _move_chain(ports: Ports, tx: Tx, chain: Sequence[Memory], to: UUID) -> None:
    last = chain[-1]
    projects = (last.project_id, to)
    same = await memory_store.find_same(tx, to, last.content_hash) if last.is_shown else None
    if same:
        await merge_into(ports, tx, last, same)
    elif last.is_shown and await memory_store.find_rejected(tx, to, [last.content_hash]):
        await hide_chain(ports, tx, last)
    elif last.is_shown:
        await unlink_entities(tx, last.id)
    await memory_version_store.move(tx, last.root_id, to)
    moved = await memory_store.find_any(tx, last.id)
    assert moved is not None
    if moved.is_shown:
        await move(ports, tx, MEMORY, [moved.id], projects)
        # Entities belong to a project.
        await link_mentions(ports, tx, moved)
        await queue_relating(ports, tx, moved.id)
    data = {"from": str(projects[0]), "to": str(to), "reason": "document_moved"}
    await record(tx, MEMORY, last.id, "move", data)
