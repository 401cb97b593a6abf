"""A document says something no more: it is erased, changed, or in another project."""

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from remem.core.db import Tx
from remem.core.events.record import record
from remem.core.graph.link import links_of, part, unjoin
from remem.core.index.kinds import MEMORY
from remem.core.memories import store
from remem.core.memories.documents import store as documents
from remem.core.memories.evidence import (
    EvidencePlace,
    lock_evidence,
    places_of,
    resting_on,
    written,
)
from remem.core.memories.index_memory import retire
from remem.core.memories.model import BEFORE, HEADING, Memory
from remem.core.memories.parts import store as parts
from remem.core.memories.succession import chains_of, erase_one, settle_chains
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.core.text import tags_without

_AROUND = frozenset((BEFORE, HEADING))
_OF_ONE_DOCUMENT = timedelta(milliseconds=100)


async def forget_evidence(
    ports: Ports, tx: Tx, scope: Scope, project_id: UUID, id: UUID
) -> list[UUID]:
    """A document is erased: so is what it alone says, and what it replaced is valid again. Gives
    the documents that are to be distilled again."""
    if await resting_on(tx, scope, id):
        await lock_evidence(tx, scope, [project_id], [id])
    # Read under the lock: a job may have replaced some of them while this waited.
    memories = await resting_on(tx, scope, id)
    again = await withdraw(ports, tx, scope, memories, [id], "document_erased")
    await part(tx, scope, "document", id)
    return again


async def withdraw(
    ports: Ports,
    tx: Tx,
    scope: Scope,
    memories: Sequence[Memory],
    gone: Collection[UUID],
    reason: str,
) -> list[UUID]:
    """Let memories, of a chain the newest first, rest on these documents no more, and erase those
    for which no other is left. Gives the documents that say one too, but of which no place is
    known: these are to be distilled again."""
    again: set[UUID] = set()
    chains: set[UUID] = set()
    for memory in memories:
        left = await _places_left(tx, scope, memory, gone)
        if left:
            chains |= await _rest_on(tx, scope, memory, gone, left)
        else:
            again |= await _linked(tx, scope, memory)
            chains |= await erase_one(ports, tx, scope, memory)
    await settle_chains(ports, tx, scope, chains, reason)
    return sorted(again.difference(gone))


async def retire_evidence(
    ports: Ports, tx: Tx, scope: Scope, project_id: UUID, replaced: Collection[UUID]
) -> None:
    """Versions of a document are replaced: what they alone said is over, unless a person says it
    is so."""
    chains: set[UUID] = set()
    for id in replaced:
        memories = [one for one in await resting_on(tx, scope, id) if one.is_shown]
        if memories:
            await lock_evidence(tx, scope, [project_id], [id])
        for memory in memories:
            left = await _places_left(tx, scope, memory, replaced)
            if left:
                chains |= await _rest_on(tx, scope, memory, replaced, left)
            elif memory.context.get("review") != "accepted":
                await retire(ports, tx, scope, memory, ends=True)
                details = {"state": ["active", "superseded"], "reason": "document_changed"}
                await record(tx, scope, MEMORY, memory.id, "lifecycle", details)
                chains |= await chains_of(tx, scope, memory)
    await settle_chains(ports, tx, scope, chains, "document_changed")


async def _places_left(
    tx: Tx, scope: Scope, memory: Memory, gone: Collection[UUID]
) -> list[EvidencePlace]:
    places = [place for place in places_of(memory) if place.document_id not in gone]
    there = await documents.existing_documents(tx, scope, [place.document_id for place in places])
    return [place for place in places if place.document_id in there]


async def _rest_on(
    tx: Tx, scope: Scope, memory: Memory, gone: Collection[UUID], left: Sequence[EvidencePlace]
) -> set[UUID]:
    """Gives its chain where it is older now, for who said it last says it no more."""
    values = await _without(tx, scope, memory, gone, left)
    await store.change(tx, scope, memory.id, values)
    await parts.set_tags(tx, scope, memory.id, values["tags"])
    for link in await links_of(tx, scope, MEMORY, [memory.id], ["derives"]):
        if link.from_id == memory.id and link.to_id in gone:
            await unjoin(tx, scope, link)
    return {memory.root_id} if values["stated_at"] < memory.stated_at else set()


async def _without(
    tx: Tx, scope: Scope, memory: Memory, gone: Collection[UUID], left: Sequence[EvidencePlace]
) -> dict[str, Any]:
    """What a memory keeps of itself when some of its documents say it no more."""
    theirs = await documents.tags_of_documents(tx, scope, gone)
    document_ids = [one.document_id for one in left]
    others = await documents.tags_of_documents(tx, scope, document_ids)
    saved_at = await documents.last_saved(tx, scope, document_ids)
    # Nobody knows any more which of the documents these are from.
    context = {name: said for name, said in memory.context.items() if name not in _AROUND}
    return {
        "evidence": written(*left),
        "document_id": left[0].document_id,
        "tags": tags_without(memory.tags, tags_without(theirs, others)),
        "context": context,
        "stated_at": _as_old_as(memory.stated_at, saved_at),
    }


def _as_old_as(stated_at: datetime, saved_at: datetime | None) -> datetime:
    """When it was stated, now that the newest document that says it was saved then. The statements
    of one document are microseconds apart."""
    if saved_at and saved_at < stated_at - _OF_ONE_DOCUMENT:
        return saved_at
    return stated_at


async def _linked(tx: Tx, scope: Scope, memory: Memory) -> set[UUID]:
    """Every document that says it: a memory keeps the places of the first ones only."""
    links = await links_of(tx, scope, MEMORY, [memory.id], ["derives"])
    ids = [link.to_id for link in links if link.from_id == memory.id]
    return await documents.existing_documents(tx, scope, ids)
