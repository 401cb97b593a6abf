"""Search a container: memories and documents, by meaning, by word and along the graph."""

from typing import Any, Literal
from uuid import UUID

from fastapi import APIRouter, Response
from pydantic import BaseModel, Field

from remem.core.index.kinds import CHUNK, MEMORY
from remem.core.memories.browse import touch_memories
from remem.core.memories.model import Category
from remem.core.memories.related import Related, related_of
from remem.core.search.find import find
from remem.core.search.model import LIMIT_DEFAULT, LIMIT_MAX, Filters, Item
from remem.core.search.model import Query as Asked
from remem.surfaces.rest.deps import PortsDep, Reader
from remem.surfaces.rest.guard import Guarded
from remem.surfaces.rest.listing import UnreadableItems, show
from remem.surfaces.rest.shapes import Body, DateOut, Moment, said

router = APIRouter(prefix="/v1", tags=["search"], route_class=Guarded)

LEAST_COSINE = 0.2
OFFSET_MAX = 1_000


class SearchFilters(Body):
    memory_type: list[Category] = Field(
        default_factory=list, description="Memories of these types; no documents then."
    )
    tags: list[str] = Field(default_factory=list, description="All of these.")
    created_after: Moment | None = None
    created_before: Moment | None = None
    metadata: dict[str, Any] = Field(default_factory=dict, description="Contained in theirs.")


class SearchIn(Body):
    query: str = Field(min_length=1, description="What to look for, in any words.")
    container: str | None = Field(
        default=None,
        description="A container and those above it; `name.*` is it and all below; or everywhere.",
    )
    limit: int = Field(default=LIMIT_DEFAULT, ge=1, le=LIMIT_MAX)
    offset: int = Field(default=0, ge=0, le=OFFSET_MAX)
    include_related: bool = Field(default=False, description="Add what each is linked to.")
    filters: SearchFilters = Field(default_factory=SearchFilters)
    mode: Literal["fast", "balanced", "deep"] = "balanced"


class RelatedHit(BaseModel):
    id: UUID
    content: str
    relationship: str


class SearchHit(BaseModel):
    id: UUID
    content: str
    memory_type: str = Field(description="A memory's type, or `document` for a piece of one.")
    similarity: float = Field(description="The cosine of query and text.")
    score: float = Field(description="By which they are ranked, from 0 to 1.")
    speaker: str | None = Field(default=None, description="Who said it; none is the user.")
    said_at: Moment | None = None
    dates: list[DateOut] = Field(default_factory=list)
    document_id: UUID | None
    tags: list[str]
    metadata: dict[str, Any] = Field(default_factory=dict)
    created_at: Moment
    related: list[RelatedHit] = Field(default_factory=list)


class SearchOut(BaseModel):
    query: str
    results: list[SearchHit]
    total: int
    unreadable: UnreadableItems


@router.post("/search", response_model=SearchOut)
async def search(
    body: SearchIn,
    ports: PortsDep,
    caller: Reader,
    response: Response,
) -> SearchOut:
    """What a container and its parents know about it, joined by reciprocal ranks."""
    answer = await find(ports, caller, _asked(body), body.offset)
    response.headers["X-Cache"] = "hit" if answer.cached else "miss"
    ids = [item.memory.id for item in answer.items if item.memory]
    touch_memories(ports, caller, ids)
    related = await related_of(ports, caller, ids) if body.include_related else {}
    hits, unreadable = show(answer.items, _hit, lambda item: item.id)
    for hit in hits:
        hit.related, bad = show(related.get(hit.id, ()), _related, lambda one: one.memory.id)
        unreadable += bad
    return SearchOut(query=body.query, results=hits, total=answer.total, unreadable=unreadable)


def _related(one: Related) -> RelatedHit:
    return RelatedHit(id=one.memory.id, content=one.memory.content, relationship=one.link.relation)


def _asked(body: SearchIn) -> Asked:
    chosen = body.filters
    return Asked(
        body.query,
        body.container,
        inherit=bool(body.container),
        limit=body.limit,
        filters=Filters(
            categories=tuple(chosen.memory_type),
            tags=tuple(chosen.tags),
            created_after=chosen.created_after,
            created_before=chosen.created_before,
            metadata=chosen.metadata,
        ),
        mode=body.mode,
        fusion="rrf",
        kinds=(MEMORY,) if chosen.memory_type else (MEMORY, CHUNK),
        least_cosine=LEAST_COSINE,
    )


def _hit(item: Item) -> SearchHit:
    similarity, score = round(item.parts.vector, 4), round(item.score, 4)
    if memory := item.memory:
        return SearchHit(
            id=memory.id,
            content=memory.content,
            memory_type=memory.category,
            similarity=similarity,
            score=score,
            document_id=memory.document_id,
            tags=memory.tags,
            metadata=memory.context,
            **said(memory),
            created_at=memory.created_at,
        )
    assert item.chunk is not None
    return SearchHit(
        id=item.chunk.chunk_id,
        content=item.chunk.content,
        memory_type="document",
        similarity=similarity,
        score=score,
        document_id=item.chunk.document_id,
        tags=item.chunk.tags,
        metadata=dict(item.chunk.metadata),
        created_at=item.chunk.created_at,
    )
