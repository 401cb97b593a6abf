"""Restore the memories that a restored document states."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any
from uuid import UUID

from remem.core.current import is_shown
from remem.core.events.read import events_of
from remem.core.events.record import record
from remem.core.index.kinds import MEMORY
from remem.core.memories import memory_document_store, memory_store
from remem.core.memories.evidence import EvidencePlace, add_place, evidence_json, places_of
from remem.core.memories.index_memory import RELATE_JOB, hide_chain, index_memory, retire
from remem.core.memories.model import DISTIL, Memory
from remem.core.memories.succession import settle_chains
from remem.core.ports import Ports
from remem.core.text import tags_in, unique_tags
from remem.core.transaction import Tx
from remem.core.validate import TAGS_LIMIT


async def restore_memory_row(
    ports: Ports, tx: Tx, row: Mapping[str, Any], insert: Callable[[], Awaitable[bool]]
) -> None:
    """Restore one memory from its deleted `row`, and retire what it had replaced.

    A memory that still exists only gets the document back as evidence."""
    id = UUID(row["id"])
    if present := await memory_store.find_any(tx, id):
        # A memory that was moved meanwhile belongs to the documents of its new project.
        if str(present.project_id) == row["project_id"]:
            await _restore_places(tx, present, row)
        return
    await _retire_replaced(ports, tx, row)
    if not await insert():
        return
    await record(tx, MEMORY, id, "restore", {"reason": "document_restored"})
    memory = await memory_store.find_any(tx, id)
    assert memory is not None
    memory = await _without_erased(tx, memory)
    if memory.is_shown and await _is_rejected(tx, memory):
        await hide_chain(ports, tx, memory)
    elif memory.is_shown:
        # It may relate to memories that were saved meanwhile.
        await index_memory(ports, tx, memory, None, later=RELATE_JOB)


async def settle_restored(ports: Ports, tx: Tx, rows: Sequence[Mapping[str, Any]]) -> None:
    """Make the right version of each restored chain current again."""
    roots = {UUID(row["root_id"]) for row in rows}
    await settle_chains(ports, tx, roots, "document_restored")


async def _is_rejected(tx: Tx, memory: Memory) -> bool:
    """Whether a person has deleted or declined the same statement meanwhile."""
    return bool(await memory_store.find_rejected(tx, memory.project_id, [memory.content_hash]))


async def _without_erased(tx: Tx, memory: Memory) -> Memory:
    """Remove documents from the evidence that were erased meanwhile."""
    places = places_of(memory)
    ids = [place.document_id for place in places]
    existing = await memory_document_store.existing_documents(tx, ids)
    remaining = [place for place in places if place.document_id in existing]
    if not remaining or len(remaining) == len(places):
        return memory
    values: dict[str, Any] = {
        "evidence": evidence_json(*remaining),
        "document_id": remaining[0].document_id,
    }
    if not await _has_own_tags(tx, memory):
        document_tags = await memory_document_store.tags_of_documents(tx, existing)
        values["tags"] = tags_in(memory.tags, document_tags)
    return await memory_store.change(tx, memory.id, values)


async def _has_own_tags(tx: Tx, memory: Memory) -> bool:
    events = await events_of(tx, [memory.id])
    return any("tags" in event.data.get("fields", ()) for event in events)


async def _restore_places(tx: Tx, memory: Memory, row: Mapping[str, Any]) -> None:
    if memory.source != DISTIL:
        return
    known = {place.document_id for place in places_of(memory)}
    restored = [
        place
        for place in places_of(replace(memory, evidence=row["evidence"]))
        if place.document_id not in known
    ]
    values = {
        "tags": await _merge_tags(tx, memory, restored, row["tags"]),
        "context": {**row["context"], **memory.context},
    }
    memory = await memory_store.change(tx, memory.id, values)
    for place in restored:
        if await memory_document_store.document_exists(tx, place.document_id):
            memory = await add_place(tx, memory, place)


async def _merge_tags(
    tx: Tx, memory: Memory, places: Sequence[EvidencePlace], previous: Sequence[str]
) -> list[str]:
    """The memory's tags and those of the restored documents, in their previous order."""
    document_tags = await memory_document_store.tags_of_documents(
        tx, [place.document_id for place in places]
    )
    ordered = tags_in(previous, {*memory.tags, *document_tags})
    return unique_tags([*ordered, *memory.tags, *sorted(document_tags)])[:TAGS_LIMIT]


async def _retire_replaced(ports: Ports, tx: Tx, row: Mapping[str, Any]) -> None:
    deleted, part = bool(row["deleted_at"]), bool(row.get("part_of"))
    if not row["supersedes_id"] or not is_shown(row["state"], deleted=deleted, part=part):
        return
    replaced = await memory_store.find(tx, UUID(row["supersedes_id"]))
    if replaced and replaced.is_shown:
        await retire(ports, tx, replaced)
