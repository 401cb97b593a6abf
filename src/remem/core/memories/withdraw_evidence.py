"""Withdraw a document from the evidence of memories: it was erased, changed or moved."""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from remem.core.events.record import record
from remem.core.graph.link import delete_link, delete_links_of, links_of
from remem.core.index.kinds import MEMORY
from remem.core.memories import memory_document_store, memory_store, part_store
from remem.core.memories.evidence import (
    EvidencePlace,
    evidence_json,
    lock_evidence,
    memories_of_document,
    places_of,
)
from remem.core.memories.highlights import highlight_store
from remem.core.memories.index_memory import retire
from remem.core.memories.model import BEFORE, HEADING, Memory
from remem.core.memories.succession import chains_of, erase_version, settle_chains
from remem.core.ports import Ports
from remem.core.text import tags_without
from remem.core.transaction import Tx

_DOCUMENT_CONTEXT = frozenset((BEFORE, HEADING))


async def forget_evidence(ports: Ports, tx: Tx, project_id: UUID, id: UUID) -> list[UUID]:
    """Erase what only this document states, because it is erased; what that had replaced is valid
    again. Returns the documents to distil again."""
    if await _erased_with(tx, id):
        await lock_evidence(tx, [project_id], [id])
    # Read again under the lock: a job may have replaced some of them meanwhile.
    memories = await _erased_with(tx, id)
    to_distil = await withdraw(ports, tx, memories, [id], "document_erased")
    await delete_links_of(tx, "document", id)
    return to_distil


async def _erased_with(tx: Tx, id: UUID) -> list[Memory]:
    """What the document states, and what a person marked in it."""
    return [*await memories_of_document(tx, id), *await highlight_store.of_document(tx, id)]


async def withdraw(
    ports: Ports, tx: Tx, memories: Sequence[Memory], gone: Collection[UUID], reason: str
) -> list[UUID]:
    """Remove the documents `gone` from the evidence of memories, and erase those without any left.

    The memories of a chain must be given newest first. Returns the documents to distil again: they
    state an erased memory too, but their offsets are not stored."""
    to_distil: set[UUID] = set()
    chains: set[UUID] = set()
    for memory in memories:
        remaining = await _remaining_places(tx, memory, gone)
        if remaining:
            chains |= await _keep_with(tx, memory, gone, remaining)
        else:
            to_distil |= await _linked_documents(tx, memory)
            chains |= await erase_version(ports, tx, memory)
    await settle_chains(ports, tx, chains, reason)
    return sorted(to_distil.difference(gone))


async def retire_evidence(
    ports: Ports, tx: Tx, project_id: UUID, replaced: Collection[UUID]
) -> None:
    """Retire what only replaced versions of a document state, unless a person accepted it."""
    chains: set[UUID] = set()
    for id in replaced:
        memories = [memory for memory in await memories_of_document(tx, id) if memory.is_shown]
        if memories:
            await lock_evidence(tx, [project_id], [id])
        for memory in memories:
            remaining = await _remaining_places(tx, memory, replaced)
            if remaining:
                chains |= await _keep_with(tx, memory, replaced, remaining)
            elif memory.context.get("review") != "accepted":
                await retire(ports, tx, memory, ends=True)
                details = {"state": ["active", "superseded"], "reason": "document_changed"}
                await record(tx, MEMORY, memory.id, "lifecycle", details)
                chains |= await chains_of(tx, memory)
    await settle_chains(ports, tx, chains, "document_changed")


async def _remaining_places(tx: Tx, memory: Memory, gone: Collection[UUID]) -> list[EvidencePlace]:
    places = [place for place in places_of(memory) if place.document_id not in gone]
    existing = await memory_document_store.existing_documents(
        tx, [place.document_id for place in places]
    )
    return [place for place in places if place.document_id in existing]


async def _keep_with(
    tx: Tx, memory: Memory, gone: Collection[UUID], remaining: Sequence[EvidencePlace]
) -> set[UUID]:
    """Keep a memory with its remaining evidence; returns its chain if that makes it older."""
    links = await links_of(tx, MEMORY, [memory.id], ["derives"])
    removed = [link for link in links if link.from_id == memory.id and link.to_id in gone]
    known = {place.document_id for place in places_of(memory)} | {link.to_id for link in removed}
    values = await _remaining_values(tx, memory, known.intersection(gone), remaining)
    await memory_store.change(tx, memory.id, values)
    await part_store.set_tags(tx, memory.id, values["tags"])
    for link in removed:
        await delete_link(tx, link)
    return {memory.root_id} if values["stated_at"] < memory.stated_at else set()


async def _remaining_values(
    tx: Tx, memory: Memory, gone: Collection[UUID], remaining: Sequence[EvidencePlace]
) -> dict[str, Any]:
    """The values of a memory without the documents that no longer state it."""
    gone_tags = await memory_document_store.tags_of_documents(tx, gone)
    document_ids = [place.document_id for place in remaining]
    remaining_tags = await memory_document_store.tags_of_documents(tx, document_ids)
    saved_at = await memory_document_store.last_saved(tx, document_ids)
    gone_saved_at = await memory_document_store.last_saved(tx, gone)
    # It is not known which of the documents these are from.
    context = {
        name: value for name, value in memory.context.items() if name not in _DOCUMENT_CONTEXT
    }
    return {
        "evidence": evidence_json(*remaining),
        "document_id": remaining[0].document_id,
        "tags": tags_without(memory.tags, tags_without(gone_tags, remaining_tags)),
        "context": context,
        "stated_at": _remaining_stated_at(memory.stated_at, saved_at, gone_saved_at),
    }


def _remaining_stated_at(
    stated_at: datetime, saved_at: datetime | None, gone_saved_at: datetime | None
) -> datetime:
    """`stated_at`, unless a document that is gone stated the memory later than the others.

    The position in its text makes a statement slightly later than its document; that alone does
    not say which document stated it last."""
    if saved_at and gone_saved_at and saved_at < min(gone_saved_at, stated_at):
        return saved_at
    return stated_at


async def _linked_documents(tx: Tx, memory: Memory) -> set[UUID]:
    """Every document that states the memory; its evidence has only the first ones."""
    links = await links_of(tx, MEMORY, [memory.id], ["derives"])
    ids = [link.to_id for link in links if link.from_id == memory.id]
    return await memory_document_store.existing_documents(tx, ids)
