"""Search a container: memories and documents by meaning, by word and along the graph."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Literal
from uuid import UUID

from fastapi import APIRouter, Response
from pydantic import BaseModel, Field

from remem.core.filters import Filters, matches
from remem.core.index.kinds import CHUNK, MEMORY
from remem.core.memories.browse import touch_memories
from remem.core.memories.related import Related, related_of
from remem.core.search.find import find
from remem.core.search.model import LIMIT_DEFAULT, LIMIT_MAX, Hit, Mode
from remem.core.search.model import Query as Asked
from remem.surfaces.rest.deps import PortsDep, Reader
from remem.surfaces.rest.filters import SearchFilters, filters_of
from remem.surfaces.rest.guard import Guarded
from remem.surfaces.rest.listing import UnreadableItems, show
from remem.surfaces.rest.shapes import Body, DateOut, Moment, Reply, address_of
from remem.surfaces.rest.v1.memories import NodeReplacement, replacement_out

router = APIRouter(prefix="/v1", tags=["search"], route_class=Guarded)

OFFSET_MAX = 1_000
_KINDS = {"document": CHUNK, "memory": MEMORY}


class SearchIn(Body):
    query: str = Field(min_length=1, description="What to search for, in any words.")
    container: str | None = Field(
        default=None,
        description="A container; `name.*` includes its subcontainers; all containers if absent.",
    )
    inherit: bool = Field(default=False, description="Also search the parent containers.")
    limit: int = Field(default=LIMIT_DEFAULT, ge=1, le=LIMIT_MAX)
    offset: int = Field(default=0, ge=0, le=OFFSET_MAX)
    include_related: bool = Field(
        default=False, description="Include the memories linked to each hit."
    )
    filters: SearchFilters = Field(default_factory=SearchFilters)
    mode: Mode = Field(
        default="balanced",
        description="Words only, words and meaning, linked memories too, or reranked.",
    )
    kinds: list[Literal["document", "memory"]] | None = Field(
        default=None, description="Documents or memories only; both if absent."
    )
    weak: bool = Field(default=False, description="Include unlikely hits, marked `weak`.")


class RelatedHit(Reply):
    id: UUID
    content: str
    relationship: str


class SearchHit(BaseModel):
    """A memory, or a part of a document. A memory and its source are one hit with both ids and both
    texts; `kind`, `id`, `url` and `content` are those of the better match."""

    id: UUID
    kind: Literal["chunk", "memory"]
    url: str = Field(description="Where it can be read.")
    content: str
    memory_type: str = Field(description="A memory's type, or `document` for a part of one.")
    memory_id: UUID | None = None
    memory: str | None = Field(default=None, description="The text of the memory.")
    chunk_id: UUID | None = None
    chunk: str | None = Field(default=None, description="The text of the chunk.")
    similarity: float = Field(description="The cosine similarity of query and text.")
    score: float = Field(
        description="The relevance, from 0 to 1, best first; comparable between queries. From about"
        " 0.5 on, a hit probably answers."
    )
    speaker: str | None = Field(default=None, description="Who said it; null for the user.")
    said_at: Moment | None = None
    dates: list[DateOut] = Field(default_factory=list)
    occurred_at: Moment | None = Field(
        default=None, description="When the event of the memory happened."
    )
    due_at: Moment | None = Field(default=None, description="When the memory is due.")
    weak: bool = Field(default=False, description="Whether it is an unlikely hit.")
    replaced_by: NodeReplacement | None = Field(
        default=None,
        description="Present if most of the chunk is outdated: the memory that is valid instead.",
    )
    document_id: UUID | None
    tags: list[str]
    metadata: dict[str, Any] = Field(default_factory=dict)
    created_at: Moment
    related: list[RelatedHit] = Field(default_factory=list)


class SearchOut(Reply):
    query: str
    results: list[SearchHit]
    total: int
    mode: Mode = Field(
        description="The mode that was used: `balanced` if `best` was not available."
    )
    unreadable: UnreadableItems


@router.post("/search", response_model=SearchOut)
async def search(
    body: SearchIn,
    ports: PortsDep,
    caller: Reader,
    response: Response,
) -> SearchOut:
    """Search a container; vector and text ranks are combined by reciprocal rank fusion."""
    answer = await find(ports, caller, _query_of(body), body.offset)
    response.headers["X-Cache"] = "hit" if answer.cached else "miss"
    ids = [hit.memory.id for hit in answer.hits if hit.memory]
    touch_memories(ports, caller, ids)
    related = await related_of(ports, caller, ids) if body.include_related else {}
    filters = _filters(body)
    projects = {hit.memory.project_id for hit in answer.hits if hit.memory}
    hits, unreadable = show(answer.hits, _hit)
    for hit in hits:
        linked = [
            link
            for link in related.get(hit.memory_id or hit.id, ())
            if link.memory.project_id in projects and matches(link.memory, filters)
        ]
        hit.related, bad = show(linked, _related, lambda link: link.memory.id)
        unreadable += bad
    return SearchOut.of(answer, query=body.query, results=hits, unreadable=unreadable)


def _filters(body: SearchIn) -> Filters:
    filters = filters_of(body.filters)
    return replace(filters, categories=_covered(filters.categories))


def _related(related: Related) -> RelatedHit:
    return RelatedHit.of(related.memory, relationship=related.link.relation)


def _query_of(body: SearchIn) -> Asked:
    return Asked(
        body.query,
        body.container,
        inherit=body.inherit and bool(body.container),
        limit=body.limit,
        filters=_filters(body),
        mode=body.mode,
        fusion="rrf",
        kinds=tuple(_KINDS[kind] for kind in body.kinds or _KINDS),
        weak=body.weak,
    )


def _hit(hit: Hit) -> SearchHit:
    memory, chunk = hit.memory, hit.chunk
    fields: dict[str, Any] = {}
    if hit.kind == MEMORY and memory:
        fields = {"kind": "memory", "content": memory.content, "memory_type": memory.category}
        fields |= {"tags": memory.tags, "metadata": memory.context, "created_at": memory.created_at}
        fields |= {"speaker": memory.speaker, "said_at": memory.said_at, "dates": memory.dates}
    elif chunk:
        fields = {"kind": "chunk", "content": chunk.content, "memory_type": "document"}
        fields |= {"tags": chunk.tags, "metadata": chunk.metadata, "created_at": chunk.created_at}
        fields |= {"speaker": chunk.speaker, "said_at": chunk.said_at}
    return SearchHit(
        id=hit.id,
        url=address_of(hit.kind, hit.id),
        memory_id=memory.id if memory else None,
        memory=memory.content if memory else None,
        chunk_id=chunk.chunk_id if chunk else None,
        chunk=chunk.content if chunk else None,
        document_id=chunk.document_id if chunk else memory.document_id if memory else None,
        similarity=round(hit.parts.vector, 4),
        score=round(hit.relevance, 4),
        weak=hit.is_weak,
        occurred_at=memory.occurred_at if memory else None,
        due_at=memory.due_at if memory else None,
        replaced_by=replacement_out(hit.replaced_by) if hit.replaced_by else None,
        **fields,
    )


# The types of this API, and the finer ones that each includes.
_INCLUDED: dict[str, tuple[str, ...]] = {
    "fact": ("decision", "context", "note"),
    "insight": ("pattern", "lesson"),
    "preference": ("procedure",),
}


def _covered(types: Sequence[str]) -> tuple[str, ...]:
    included = [finer for type in types for finer in _INCLUDED.get(type, ())]
    return tuple(dict.fromkeys((*types, *included)))
