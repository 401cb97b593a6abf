"""Shared bodies and replies of this dialect, with names in camelCase."""

from collections.abc import Iterable, Mapping
from typing import Any
from uuid import UUID

from pydantic import ConfigDict, Field
from pydantic.alias_generators import to_camel

from remem.core.events.model import Event
from remem.core.events.read import NO_NAMES, EventNames
from remem.core.index.kinds import CHUNK, MEMORY
from remem.core.judgements import Relation
from remem.core.memories.browse import MemoryPage
from remem.core.memories.model import Memory
from remem.core.search.model import Candidate, Hit, Replacement
from remem.surfaces.rest.cursors import write_cursor
from remem.surfaces.rest.listing import UnreadableItem, UnreadableItems, show
from remem.surfaces.rest.shapes import Body, Camel, DateOut, Moment, address_of


class CamelBody(Body):
    """A request body in camelCase; snake_case is accepted as well."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True)


class ReplacedBy(Camel):
    """The current memory that replaces another one, or what a chunk says."""

    id: UUID
    url: str = Field(description="Where it can be read.")
    content: str
    category: str
    since: Moment


class AgentMemory(Camel):
    """One memory. Results of `q` also contain parts of documents; see `kind`."""

    id: UUID
    kind: str = Field(default="memory", description="`memory`, or `chunk` of a document.")
    url: str = Field(default="", description="Where it can be read.")
    title: str | None
    content: str
    category: str
    project: str
    project_id: UUID
    session_id: UUID | None
    document_id: UUID | None
    tags: list[str]
    context: dict[str, Any]
    confidence: float
    state: str
    quality: str
    is_current: bool
    version: int
    root_id: UUID
    supersedes_id: UUID | None
    valid_from: Moment | None
    valid_until: Moment | None
    occurred_at: Moment | None
    due_at: Moment | None
    speaker: str | None
    said_at: Moment | None
    dates: list[DateOut]
    access_count: int
    last_accessed_at: Moment | None
    source: str
    evidence: dict[str, Any]
    part_of: UUID | None = Field(default=None, description="The memory of which this is a part.")
    replaced_by: ReplacedBy | None = Field(
        default=None,
        description="Present if it is outdated: the memory that is valid instead. Not with `as_of`,"
        " which shows what was valid then.",
    )
    created_at: Moment
    updated_at: Moment


class AgentMemoryPage(Camel):
    memories: list[AgentMemory]
    total: int
    next_cursor: str | None = Field(alias="next_cursor")
    unreadable: UnreadableItems


class EventOut(Camel):
    id: UUID
    subject_kind: str
    subject_id: UUID
    subject_name: str | None = Field(
        default=None,
        description="Its current title, statement or name; null in a history, or if deleted.",
    )
    type: str
    data: dict[str, Any]
    actor: str
    actor_name: str | None = Field(default=None, description="The name of the API key that acted.")
    request_id: str | None
    created_at: Moment
    imported: bool = Field(description="Whether it came with an import; `actor` imported it.")
    claimed_actor: str | None = Field(
        description="For an imported event: the actor named in the file, not verified."
    )


class RelationOut(Camel):
    action: str
    target_id: UUID
    confidence: float
    reasons: list[str]


def replaced_by_out(newer: Replacement) -> ReplacedBy:
    return ReplacedBy.of(newer, url=address_of("memory", newer.id))


def memory_out(memory: Memory, newer: Replacement | None = None) -> AgentMemory:
    return AgentMemory.of(
        memory,
        url=address_of("memory", memory.id),
        project=memory.project_ref,
        confidence=round(memory.confidence, 6),
        replaced_by=replaced_by_out(newer) if newer else None,
    )


def hit_out(hit: Hit) -> AgentMemory:
    """Render a memory, or a part of a document in the same format. Only a part of a document can be
    outdated, because replaced memories are not found."""
    if hit.kind == MEMORY and hit.memory:
        return memory_out(hit.memory)
    assert hit.chunk is not None
    return _chunk_out(hit.chunk, hit.replaced_by)


def _chunk_out(chunk: Candidate, newer: Replacement | None) -> AgentMemory:
    return AgentMemory.of(
        chunk,
        id=chunk.chunk_id,
        kind=CHUNK,
        url=address_of("chunk", chunk.chunk_id),
        category="document",
        project=chunk.project_ref,
        session_id=None,
        context=dict(chunk.metadata),
        confidence=1,
        state="active",
        quality="unknown",
        is_current=True,
        version=1,
        root_id=chunk.chunk_id,
        supersedes_id=None,
        valid_from=None,
        valid_until=chunk.forget_after,
        occurred_at=None,
        dates=[],
        due_at=None,
        access_count=0,
        last_accessed_at=None,
        source="document",
        evidence=_evidence(chunk),
        replaced_by=replaced_by_out(newer) if newer else None,
        updated_at=chunk.created_at,
    )


def _evidence(chunk: Candidate) -> dict[str, Any]:
    start, end = chunk.start_offset, chunk.end_offset
    return {"document_id": str(chunk.document_id), "start": start, "end": end}


def relation_out(relation: Relation) -> RelationOut:
    return RelationOut.of(relation, confidence=round(relation.confidence, 6))


def show_memories(
    memories: Iterable[Memory], replaced: Mapping[UUID, Replacement]
) -> tuple[list[AgentMemory], list[UnreadableItem]]:
    """Render memories. `replaced` maps outdated ones to the memories that are valid instead."""
    return show(memories, lambda memory: memory_out(memory, replaced.get(memory.id)))


def page_out(page: MemoryPage, replaced: Mapping[UUID, Replacement]) -> AgentMemoryPage:
    memories, unreadable = show_memories(page.memories, replaced)
    return AgentMemoryPage(
        memories=memories,
        unreadable=unreadable,
        total=page.total,
        next_cursor=write_cursor(page.next),
    )


def event_out(event: Event, names: EventNames = NO_NAMES) -> EventOut:
    return EventOut.of(
        event,
        subject_name=names.subjects.get(event.subject_id),
        actor_name=names.of_actor(event.actor),
        imported=event.is_imported,
    )
