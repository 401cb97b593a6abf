"""The evidence of an inferred memory: the positions in documents that state it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from remem.core.db import Tx
from remem.core.events.read import events_of
from remem.core.graph.link import join, links_of
from remem.core.graph.model import Link
from remem.core.index.kinds import MEMORY
from remem.core.memories import store
from remem.core.memories.documents import store as documents
from remem.core.memories.model import BEFORE, DISTIL, HEADING, Memory
from remem.core.projects.manage import lock_projects
from remem.core.scope import Scope
from remem.core.text import tags_without

PLACES_LIMIT = 20


@dataclass(frozen=True, slots=True)
class EvidencePlace:
    """`content[start:end]` of the document is the sentence that says it."""

    document_id: UUID
    start: int
    end: int


def written(place: EvidencePlace, *others: EvidencePlace) -> dict[str, Any]:
    """Evidence as a memory keeps it: the first place, and `also` the others."""
    first = {"document_id": str(place.document_id), "start": place.start, "end": place.end}
    return {**first, "also": [written(one) for one in others]} if others else first


def places_of(memory: Memory) -> list[EvidencePlace]:
    places = [memory.evidence, *memory.evidence.get("also", [])]
    return [
        EvidencePlace(UUID(one["document_id"]), one["start"], one["end"])
        for one in places
        if one.get("document_id")
    ]


async def add_place(tx: Tx, scope: Scope, memory: Memory, place: EvidencePlace) -> Memory:
    """Say that a document says it too; the link leads from the document to what rests on it."""
    await join(tx, scope, [Link(MEMORY, memory.id, "document", place.document_id, "derives")])
    places = places_of(memory)
    known = any(one.document_id == place.document_id for one in places)
    if memory.source != DISTIL or known or len(places) >= PLACES_LIMIT:
        return memory
    return await store.change(tx, scope, memory.id, {"evidence": written(*places, place)})


async def lock_evidence(
    tx: Tx, scope: Scope, project_ids: Sequence[UUID], document_ids: Sequence[UUID]
) -> None:
    """Lock the projects of documents, and those of the memories that rest on them: a memory that
    other documents say too may be in another."""
    others = await documents.projects_resting_on(tx, scope, document_ids)
    await lock_projects(tx, scope, project_ids, others)


async def lock_evidence_again(
    tx: Tx, scope: Scope, project_id: UUID, rows: Sequence[Mapping[str, Any]]
) -> None:
    """The same before memories rest again on a document of the project, as `rows` say."""
    ids = [UUID(id) for row in rows for id in (row["id"], row["supersedes_id"]) if id]
    others = await documents.projects_of(tx, scope, ids)
    before = {UUID(row["project_id"]) for row in rows if "project_id" in row}
    await lock_projects(tx, scope, [project_id], others | before)


async def tags_to_give(tx: Tx, scope: Scope, memory: Memory, to: Memory | None = None) -> list[str]:
    """The tags that another memory may have from this one: those of its documents only where that
    one goes with the documents too."""
    if memory.source != DISTIL or (to and to.source == DISTIL):
        return memory.tags
    document_ids = [place.document_id for place in places_of(memory)]
    theirs = await documents.tags_of_documents(tx, scope, document_ids)
    return tags_without(memory.tags, theirs)


async def edits_of(tx: Tx, scope: Scope, ids: Sequence[UUID], field: str) -> set[UUID]:
    """Those of which a person has changed a field."""
    # A decision of ours tells its reasons; a person's change tells the fields.
    events = await events_of(tx, scope, ids) if ids else []
    edits = [one for one in events if one.type == "update" and field in one.data.get("fields", ())]
    return {one.subject_id for one in edits}


def as_own(memory: Memory, source: str) -> dict[str, Any]:
    """What was inferred, as it is where a person has said it: it waits for no review, and has
    nothing of the document."""
    given = {"review", BEFORE, HEADING}
    context = {name: value for name, value in memory.context.items() if name not in given}
    return {"source": source, "context": context}


async def resting_on(tx: Tx, scope: Scope, id: UUID) -> list[Memory]:
    """The memories that a document states, including deleted ones."""
    links = await links_of(tx, scope, "document", [id], ["derives"])
    linked = [link.from_id for link in links if link.from_kind == MEMORY]
    return await documents.of_document(tx, scope, id, linked, DISTIL)
