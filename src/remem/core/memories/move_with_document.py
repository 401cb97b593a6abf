"""What a document says goes with it to another project, unless one that stays says it too."""

from collections.abc import Collection, Sequence
from uuid import UUID

from remem.core.db import Tx
from remem.core.events.record import record
from remem.core.graph.entities import unmention
from remem.core.index.kinds import MEMORY
from remem.core.index.write import move
from remem.core.memories import store
from remem.core.memories.documents import store as documents
from remem.core.memories.evidence import edits_of, places_of, resting_on
from remem.core.memories.index_memory import hide, link_mentions, relate_again
from remem.core.memories.merge import merge_into
from remem.core.memories.model import DISTIL, Memory
from remem.core.memories.versions import store as version_store
from remem.core.memories.withdraw_evidence import withdraw
from remem.core.ports import Ports
from remem.core.scope import Scope


async def move_with_document(
    ports: Ports, tx: Tx, scope: Scope, moved: Collection[UUID], to: UUID
) -> list[UUID]:
    """Take along the chains that stand on these versions of a document alone, which are there
    already; the others stay as what documents elsewhere say, and where a person has put them. Gives
    the documents that are to be distilled again. The projects of all are locked by the caller."""
    resting = [one for id in moved for one in await resting_on(tx, scope, id)]
    roots = dict.fromkeys(one.root_id for one in resting if one.project_id != to)
    again: list[UUID] = [*moved]
    for root in roots:
        chain = await version_store.chain(tx, scope, root)
        if await edits_of(tx, scope, [memory.id for memory in chain], "project"):
            continue
        if await _stands_elsewhere(tx, scope, chain, to):
            again += await _leave(ports, tx, scope, chain, moved)
        else:
            await _take(ports, tx, scope, chain, to)
    return again


async def _stands_elsewhere(tx: Tx, scope: Scope, chain: Sequence[Memory], to: UUID) -> bool:
    ids = [memory.id for memory in chain]
    edited = await edits_of(tx, scope, ids, "content")
    if any(not places_of(memory) and memory.id not in edited for memory in chain):
        return True
    document_ids = {place.document_id for memory in chain for place in places_of(memory)}
    return await documents.any_elsewhere(tx, scope, ids, document_ids, to)


async def _leave(
    ports: Ports, tx: Tx, scope: Scope, chain: Sequence[Memory], moved: Collection[UUID]
) -> list[UUID]:
    """What these documents say too is distilled from them where they are now."""
    said = [
        memory
        for memory in reversed(chain)
        if memory.source == DISTIL and {place.document_id for place in places_of(memory)} & {*moved}
    ]
    return await withdraw(ports, tx, scope, said, moved, "document_moved")


async def _take(ports: Ports, tx: Tx, scope: Scope, chain: Sequence[Memory], to: UUID) -> None:
    last = chain[-1]
    way = (last.project_id, to)
    same = await store.find_same(tx, scope, to, last.content_hash) if last.is_shown else None
    if same:
        await merge_into(ports, tx, scope, last, same)
    elif last.is_shown and await store.unwanted(tx, scope, to, [last.content_hash]):
        await hide(ports, tx, scope, last)
    elif last.is_shown:
        await unmention(tx, scope, last.id)
    await version_store.move(tx, scope, last.root_id, to)
    moved = await store.find_any(tx, scope, last.id)
    assert moved is not None
    if moved.is_shown:
        await move(ports, tx, scope, MEMORY, [moved.id], way)
        # Entities are a project's own.
        await link_mentions(ports, tx, scope, moved)
        await relate_again(ports, tx, scope, moved.id)
    data = {"from": str(way[0]), "to": str(to), "reason": "document_moved"}
    await record(tx, scope, MEMORY, last.id, "move", data)
