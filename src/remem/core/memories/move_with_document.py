"""What a document says goes with it to another project, unless one that stays says it too."""

from collections.abc import Collection, Sequence
from uuid import UUID

from remem.core.db import Tx
from remem.core.events.read import events_of
from remem.core.events.record import record
from remem.core.graph.entities import unmention
from remem.core.index.kinds import MEMORY
from remem.core.index.write import move
from remem.core.memories import store
from remem.core.memories.evidence import places_of, resting_on
from remem.core.memories.index_memory import link_mentions
from remem.core.memories.merge import merge_into
from remem.core.memories.model import DISTIL, Memory
from remem.core.memories.versions import store as version_store
from remem.core.ports import Ports
from remem.core.scope import Scope


async def move_with_document(
    ports: Ports, tx: Tx, scope: Scope, moved: Collection[UUID], to: UUID
) -> int:
    """Take along the chains that stand on these versions of a document, which are there already;
    what documents elsewhere say too, or a person has changed, stays. The projects of all are locked
    by the caller."""
    resting = [one for id in moved for one in await resting_on(tx, scope, id)]
    roots = dict.fromkeys(one.root_id for one in resting if one.project_id != to)
    chains = [await version_store.chain(tx, scope, root) for root in roots]
    going = [chain for chain in chains if await _goes_along(tx, scope, chain, to)]
    for chain in going:
        await _take(ports, tx, scope, chain, to)
    return len(going)


async def _goes_along(tx: Tx, scope: Scope, chain: Sequence[Memory], to: UUID) -> bool:
    if any(memory.source != DISTIL or not places_of(memory) for memory in chain):
        return False
    ids = [memory.id for memory in chain]
    documents = {place.document_id for memory in chain for place in places_of(memory)}
    if await store.any_elsewhere(tx, scope, ids, documents, to):
        return False
    events = await events_of(tx, scope, ids)
    # A decision of ours tells its reasons; a person's change tells the fields.
    return not any(one.type == "update" and "fields" in one.data for one in events)


async def _take(ports: Ports, tx: Tx, scope: Scope, chain: Sequence[Memory], to: UUID) -> None:
    last = chain[-1]
    way = (last.project_id, to)
    same = await store.find_same(tx, scope, to, last.content_hash) if last.is_shown else None
    if same:
        await merge_into(ports, tx, scope, last, same)
    elif last.is_shown:
        await unmention(tx, scope, last.id)
    await version_store.move(tx, scope, last.root_id, to)
    moved = await store.find_any(tx, scope, last.id)
    assert moved is not None
    if moved.is_shown:
        await move(ports, tx, scope, MEMORY, [moved.id], way)
        # Entities are a project's own.
        await link_mentions(ports, tx, scope, moved)
    data = {"from": str(way[0]), "to": str(to), "reason": "document_moved"}
    await record(tx, scope, MEMORY, last.id, "move", data)
