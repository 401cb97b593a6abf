"""The evidence of an inferred memory: the offsets in documents that state it."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from remem.core.db import roll_back_to_savepoint, set_savepoint
from remem.core.events.read import events_of
from remem.core.graph.link import add_links, links_of
from remem.core.graph.model import Link
from remem.core.index.kinds import MEMORY
from remem.core.memories import memory_document_store, memory_store
from remem.core.memories.model import BEFORE, DISTIL, HEADING, Memory
from remem.core.projects.manage import lock_projects
from remem.core.text import tags_without
from remem.core.transaction import Tx

PLACES_LIMIT = 20


@dataclass(frozen=True, slots=True)
class EvidencePlace:
    """`content[start:end]` of the document is the sentence that states the memory."""

    document_id: UUID
    start: int
    end: int


def evidence_json(place: EvidencePlace, *others: EvidencePlace) -> dict[str, Any]:
    """Evidence as it is stored: the first place, and the others in `also`."""
    first = {"document_id": str(place.document_id), "start": place.start, "end": place.end}
    return {**first, "also": [evidence_json(other) for other in others]} if others else first


def places_of(memory: Memory) -> list[EvidencePlace]:
    places = [memory.evidence, *memory.evidence.get("also", [])]
    return [
        EvidencePlace(UUID(place["document_id"]), place["start"], place["end"])
        for place in places
        if place.get("document_id")
    ]


async def add_place(tx: Tx, memory: Memory, place: EvidencePlace) -> Memory:
    """Add a document to the evidence of a memory, and link the memory to it."""
    await add_links(tx, [Link(MEMORY, memory.id, "document", place.document_id, "derives")])
    places = places_of(memory)
    known = any(known_place.document_id == place.document_id for known_place in places)
    if memory.source != DISTIL or known or len(places) >= PLACES_LIMIT:
        return memory
    return await memory_store.change(tx, memory.id, {"evidence": evidence_json(*places, place)})


async def lock_evidence(tx: Tx, project_ids: Sequence[UUID], document_ids: Sequence[UUID]) -> None:
    """Lock the projects of documents and of their memories: a memory that several documents state
    may be in another project."""

    async def find_projects() -> set[UUID]:
        return await memory_document_store.projects_with_memories_of(tx, document_ids)

    await _lock_all(tx, project_ids, find_projects)


async def lock_evidence_again(
    tx: Tx,
    project_id: UUID,
    rows: Sequence[Mapping[str, Any]],
    find_linked: Callable[[], Awaitable[set[UUID]]],
) -> None:
    """Lock the same projects before the memories in `rows` are restored with a document, and those
    of everything that is linked to them again: what states a memory changes only with a lock of
    its own project."""
    ids = [UUID(id) for row in rows for id in (row["id"], row["supersedes_id"]) if id]
    previous = {UUID(row["project_id"]) for row in rows if "project_id" in row}

    async def find_projects() -> set[UUID]:
        memories = await memory_document_store.projects_of_memories(tx, ids)
        return previous | memories | await find_linked()

    await _lock_all(tx, [project_id], find_projects)


async def _lock_all(
    tx: Tx, project_ids: Sequence[UUID], find_projects: Callable[[], Awaitable[set[UUID]]]
) -> None:
    """Lock projects and those of some memories, in one order. A memory that was moved before its
    project was locked may be in one that comes earlier in that order: then all are released and
    locked again with it."""
    others = await find_projects()
    while True:
        await set_savepoint(tx)
        await lock_projects(tx, project_ids, others)
        found = await find_projects()
        if found <= others.union(project_ids):
            return
        await roll_back_to_savepoint(tx)
        others |= found


async def inheritable_tags(tx: Tx, memory: Memory, to: Memory | None = None) -> list[str]:
    """The tags that this memory may pass on to another one.

    Tags of its documents are passed on only to a memory that is inferred too."""
    if memory.source != DISTIL or (to and to.source == DISTIL):
        return memory.tags
    document_ids = [place.document_id for place in places_of(memory)]
    document_tags = await memory_document_store.tags_of_documents(tx, document_ids)
    return tags_without(memory.tags, document_tags)


async def edits_of(tx: Tx, ids: Sequence[UUID], field: str) -> set[UUID]:
    """The memories of which a person has edited a field."""
    # Only an edit by a person has `fields`; a decision of the rules has `reasons`.
    events = await events_of(tx, ids) if ids else []
    edits = [
        event
        for event in events
        if event.type == "update" and field in event.data.get("fields", ())
    ]
    return {event.subject_id for event in edits}


def as_stated(memory: Memory, source: str) -> dict[str, Any]:
    """The values that turn an inferred memory into one that a person stated: without review, and
    without context from the document."""
    removed = {"review", BEFORE, HEADING}
    context = {name: value for name, value in memory.context.items() if name not in removed}
    return {"source": source, "context": context}


async def memories_of_document(tx: Tx, id: UUID) -> list[Memory]:
    """The memories that a document states, including deleted ones."""
    links = await links_of(tx, "document", [id], ["derives"])
    linked = [link.from_id for link in links if link.from_kind == MEMORY]
    return await memory_document_store.find_by_document(tx, id, linked, DISTIL)
