"""Save, list and read memories."""

from dataclasses import dataclass
from typing import Annotated, Any, Literal
from uuid import UUID

from fastapi import APIRouter, Depends, Query, Response
from pydantic import Field
from pydantic.alias_generators import to_camel

from remem.core.errors import Invalid
from remem.core.judgements import Category
from remem.core.memories.browse import get_memory, list_memories
from remem.core.memories.model import (
    CONTENT_LIMIT,
    SPEAKER_LIMIT,
    MemoryChoice,
    MemoryDraft,
    SavedMemory,
    State,
)
from remem.core.memories.save import save_memory
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.core.search.find import find
from remem.core.search.model import Query as Asked
from remem.core.search.replaced import replacements_of
from remem.core.text import TITLE_LIMIT
from remem.surfaces.rest.agent.search import kinds_of
from remem.surfaces.rest.agent.shapes import (
    AgentMemory,
    AgentMemoryPage,
    Camel,
    CamelBody,
    RelationOut,
    hit_out,
    memory_out,
    page_out,
    relation_out,
)
from remem.surfaces.rest.cursors import read_cursor
from remem.surfaces.rest.deps import PortsDep, Reader, Writer
from remem.surfaces.rest.fields import InProject, PageLimit, Tags
from remem.surfaces.rest.filters import filters_of
from remem.surfaces.rest.guard import Guarded
from remem.surfaces.rest.listing import show, show_one
from remem.surfaces.rest.shapes import Moment, ZonedMoment

router = APIRouter(prefix="/api", tags=["agents: memories"], route_class=Guarded)


class StatementIn(CamelBody):
    content: str = Field(
        min_length=1, description=f"One statement, up to {CONTENT_LIMIT:,} characters."
    )
    title: str | None = Field(default=None, max_length=TITLE_LIMIT)
    category: Category | None = Field(
        default=None, description="If absent, that of the memory it updates, or detected by rules."
    )
    project: str | None = Field(default=None, description="A name or path; created on first use.")
    project_id: UUID | None = Field(default=None, description="An existing project, by id.")
    tags: Tags = Field(default_factory=list)
    context: dict[str, Any] = Field(default_factory=dict)
    confidence: float | None = Field(
        default=None, ge=0, le=1, description="If absent, that of the memory it updates, or 1."
    )
    session_id: UUID | None = Field(
        default=None, description="The session it belongs to; see /api/sessions."
    )
    valid_from: Moment | None = Field(default=None, description="When it becomes valid.")
    valid_until: Moment | None = Field(default=None, description="When it stops being valid.")
    occurred_at: Moment | None = Field(default=None, description="When it happened.")
    due_at: Moment | None = Field(
        default=None, description="When it is due; a date in the content if absent."
    )
    speaker: str | None = Field(
        default=None, max_length=SPEAKER_LIMIT, description="Who says it; you if absent."
    )
    said_at: ZonedMoment | None = Field(
        default=None, description="When it was said, with an offset; now if absent."
    )
    source: str = Field(default="api", min_length=1, max_length=100)
    defer: bool = Field(default=False, description="Save it at once, and relate it in a job.")


class SavedOut(Camel):
    id: UUID
    status: str
    superseded: UUID | None = None
    existing_id: UUID | None = None
    relations: list[RelationOut]
    job_id: UUID | None = None
    added_tags: list[str] = Field(
        default_factory=list, description="Of a duplicate: the tags that this save added to it."
    )
    not_taken: list[str] = Field(
        default_factory=list,
        description="Of a duplicate: the fields that you sent and that it keeps as they were.",
    )
    memory: AgentMemory


_OTHERWISE: dict[int | str, dict[str, Any]] = {
    200: {"model": SavedOut, "description": "It was saved before."},
    202: {"model": SavedOut, "description": "It is saved, and being embedded and related."},
}


@router.post("/memories", status_code=201, response_model=SavedOut, responses=_OTHERWISE)
async def save(body: StatementIn, ports: PortsDep, caller: Writer, response: Response) -> SavedOut:
    """Save a statement. Memories that it updates are superseded; a duplicate returns the existing
    memory. 201: it can be found now. 202: saved, searchable by word, and being related. 200: it
    exists already."""
    saved = await save_memory(ports, caller, _draft(body))
    if saved.status == "duplicate":
        response.status_code = 200
    elif saved.job_id:
        response.status_code = 202
    return _saved(saved)


@dataclass(frozen=True, slots=True)
class MemoryListQuery:
    """The query parameters of a list of memories."""

    q: Annotated[str | None, Query(description="Search instead, most relevant first.")] = None
    contains: Annotated[
        str | None,
        Query(
            max_length=200,
            description="Only memories with all of these words or prefixes.",
        ),
    ] = None
    category: Category | None = None
    project: InProject = None
    tags: Annotated[list[str] | None, Query(description="All of these.")] = None
    state: State = "active"
    since: Annotated[Moment | None, Query(description="Saved at this time or later.")] = None
    until: Annotated[Moment | None, Query(description="Saved before this time.")] = None
    as_of: Annotated[Moment | None, Query(description="What was valid at this time.")] = None
    documents: Annotated[bool, Query(description="With `q`: include parts of documents.")] = True
    document_id: Annotated[UUID | None, Query(description="Only memories from this document.")] = (
        None
    )
    session_id: Annotated[
        UUID | None, Query(description="Only memories saved in this session; not with `q`.")
    ] = None
    review: Annotated[
        Literal["pending", "unsure"] | None,
        Query(
            description="Only inferred memories that nobody has accepted or declined; `unsure`:"
            " of these, insights, and of the last 30 days what is not certain and has a date or was"
            " said by another person."
        ),
    ] = None
    limit: PageLimit = 20
    cursor: str | None = None


@router.get("/memories", response_model=AgentMemoryPage)
async def list_all(
    ports: PortsDep, caller: Reader, params: Annotated[MemoryListQuery, Depends()]
) -> AgentMemoryPage:
    """List current memories, newest first, or by relevance to `q`; expired ones are left out."""
    if params.q and params.q.strip():
        return await _search(ports, caller, params.q, params)
    cursor = read_cursor(params.cursor)
    page = await list_memories(ports, caller, _choice(params), cursor, params.limit)
    outdated = () if params.as_of else page.memories
    return page_out(page, await replacements_of(ports, caller, outdated))


async def _search(
    ports: Ports, scope: Scope, text: str, params: MemoryListQuery
) -> AgentMemoryPage:
    for name in ("session_id", "contains"):
        if getattr(params, name):
            raise Invalid(name, "cannot be combined with q; leave one of them out")
    query = Asked(
        text,
        params.project,
        limit=params.limit,
        filters=filters_of(params),
        fusion="rrf",
        kinds=kinds_of(params.documents),
        as_of=params.as_of,
    )
    hits = await find(ports, scope, query)
    memories, unreadable = show(hits.hits, hit_out)
    return AgentMemoryPage(
        memories=memories, total=hits.total, next_cursor=None, unreadable=unreadable
    )


def _choice(params: MemoryListQuery) -> MemoryChoice:
    return MemoryChoice(
        project=params.project,
        category=params.category,
        words=tuple((params.contains or "").split()),
        tags=tuple(params.tags or ()),
        state=params.state,
        as_of=params.as_of,
        since=params.since,
        until=params.until,
        document_id=params.document_id,
        session_id=params.session_id,
        review=params.review,
    )


@router.get("/memories/{id}", response_model=AgentMemory)
async def read(id: UUID, ports: PortsDep, caller: Reader) -> AgentMemory:
    """Get one memory, or a version of one; for an old one, `replacedBy` is the memory that is valid
    instead. The read is counted."""
    memory = await get_memory(ports, caller, id)
    replaced = await replacements_of(ports, caller, [memory])
    return show_one(memory, lambda memory: memory_out(memory, replaced.get(id)))


def _draft(body: StatementIn) -> MemoryDraft:
    return MemoryDraft(
        content=body.content,
        title=body.title,
        category=body.category,
        project=body.project_id or body.project,
        create_project=body.project_id is None,
        tags=body.tags,
        context=body.context,
        confidence=body.confidence,
        session_id=body.session_id,
        valid_from=body.valid_from,
        valid_until=body.valid_until,
        occurred_at=body.occurred_at,
        due_at=body.due_at,
        speaker=body.speaker,
        said_at=body.said_at,
        source=body.source,
        defer=body.defer,
    )


def _saved(saved: SavedMemory) -> SavedOut:
    return SavedOut.of(
        saved,
        id=saved.memory.id,
        superseded=saved.superseded[0] if saved.superseded else None,
        existing_id=saved.memory.id if saved.status == "duplicate" else None,
        relations=[relation_out(relation) for relation in saved.relations],
        not_taken=[to_camel(name) for name in saved.not_taken],
        memory=memory_out(saved.memory),
    )
