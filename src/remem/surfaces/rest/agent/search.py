"""Search memories: by relevance, or as a compact index of what there is."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

from fastapi import APIRouter, Depends, Query, Response
from pydantic import Field

from remem.core.evolution.arena.obey import find_by_policy
from remem.core.filters import Filters
from remem.core.index.kinds import CHUNK, MEMORY
from remem.core.judgements import Category
from remem.core.memories.browse import touch_memories
from remem.core.search.find import find
from remem.core.search.model import Fusion, Hit, Hits, Mode
from remem.core.search.model import Query as Asked
from remem.core.text import shorten, title_of
from remem.surfaces.rest.agent.evolve_shapes import PolicyOut, policy_out
from remem.surfaces.rest.agent.shapes import Camel
from remem.surfaces.rest.deps import PortsDep, Reader, SettingsDep
from remem.surfaces.rest.fields import PageLimit
from remem.surfaces.rest.guard import Guarded
from remem.surfaces.rest.listing import UnreadableItems, show
from remem.surfaces.rest.shapes import DateOut, Moment, address_of, said

router = APIRouter(prefix="/api", tags=["agents: memories"], route_class=Guarded)

SNIPPET = 240
# The category of what is a piece of a document.
DOCUMENT = "document"

Text = Annotated[str, Query(min_length=1, description="What to search for, in any words.")]
Project = Annotated[str | None, Query(description="An id, slug, path or name; `path.*` for all.")]
Documents = Annotated[bool, Query(description="Pieces of documents too; `false`: memories only.")]
Tags = Annotated[list[str] | None, Query(description="All of these.")]
Weak = Annotated[bool, Query(description="Include unlikely results, marked `weak`.")]

Variants = Annotated[
    bool | None,
    Query(
        description="Also search three other wordings by the language model; REMEM_SEARCH_VARIANTS"
        " decides when absent."
    ),
]


class Both(Camel):
    """Where a memory was taken from a piece of a document they are one hit, with both ids and both
    texts; `kind`, `id` and `url` are of the one that says it best."""

    id: UUID
    kind: str = Field(description="`memory`, or `chunk` of a document.")
    url: str = Field(description="Where this is read.")
    memory_id: UUID | None = None
    memory: str | None = Field(default=None, description="The text of the memory.")
    chunk_id: UUID | None = None
    chunk: str | None = Field(default=None, description="The text of the chunk.")
    document_id: UUID | None = None
    weak: bool = Field(default=False, description="Unlikely to be an answer.")


class RelevantOut(Both):
    content: str
    category: str = Field(description="A memory's category, or `document`.")
    relevance: float = Field(description="From 0 to 1, best first.")
    speaker: str | None
    said_at: Moment | None
    dates: list[DateOut]
    created: Moment


class RelevantList(Camel):
    found: int
    memories: list[RelevantOut]
    model_unused: str | None = Field(
        default=None,
        description="With `variants`: why the language model was not used, such as"
        " `llm_budget_spent` or `llm_paused`.",
    )
    unreadable: UnreadableItems


class IndexHit(Both):
    title: str
    snippet: str
    category: str | None = None
    source_url: str | None = Field(default=None, description="Where a document came from.")
    project_id: UUID
    score: float
    speaker: str | None = None
    created_at: Moment


class IndexOut(Camel):
    query: str
    mode: str = Field(description="The mode that was used: `balanced` if `best` was not available.")
    policy: PolicyOut | None = Field(
        default=None, description="The policy that chose how to search; null where the caller did."
    )
    hits: list[IndexHit]
    total: int
    took_ms: float
    unreadable: UnreadableItems


@router.get("/memories/search", response_model=RelevantList)
async def search(
    ports: PortsDep,
    settings: SettingsDep,
    caller: Reader,
    response: Response,
    query: Text,
    limit: Annotated[int, Query(ge=1, le=10)] = 5,
    category: Category | None = None,
    project: Project = None,
    documents: Documents = True,
    weak: Weak = False,
    variants: Variants = None,
) -> RelevantList:
    """Search memories and parts of documents by meaning and words, combined by rank. With a
    category, only memories."""
    asked = Asked(
        query,
        project,
        limit=limit,
        filters=Filters(categories=(category,) if category else ()),
        mode="deep",
        fusion="rrf",
        kinds=kinds_of(documents),
        weak=weak,
        variants=settings.search_variants if variants is None else variants,
    )
    answer = await find(ports, caller, asked)
    _noted(answer, response)
    touch_memories(ports, caller, _ids(answer))
    memories, unreadable = show(answer.hits, _relevant)
    return RelevantList(
        found=len(memories),
        memories=memories,
        model_unused=answer.model_unused,
        unreadable=unreadable,
    )


@dataclass(frozen=True, slots=True)
class IndexQuery:
    """What a compact list is asked for."""

    query: Text
    mode: Annotated[
        Mode | None,
        Query(description="Without one, the policy in force decides (`GET /api/evolve/policy`)."),
    ] = None
    fusion: Annotated[Fusion, Query(description="How the arms are joined.")] = "rrf"
    documents: Annotated[
        bool | None, Query(description="Pieces of documents too; `false`: memories only.")
    ] = None
    vector: Annotated[bool | None, Query(description="By meaning too, where the mode does.")] = None
    as_of: Annotated[Moment | None, Query(description="What was valid at that time.")] = None
    category: Category | None = None
    project: Project = None
    tags: Tags = None
    since: Annotated[Moment | None, Query(description="Saved from this moment on.")] = None
    until: Annotated[Moment | None, Query(description="Saved before this moment.")] = None
    limit: PageLimit = 10
    weak: Weak = False


@router.get("/memories/search-index", response_model=IndexOut)
async def search_index(
    ports: PortsDep, caller: Reader, response: Response, asked: Annotated[IndexQuery, Depends()]
) -> IndexOut:
    """Search and return compact hits, from which to choose what to read in full."""
    query, in_force = _query(asked), None
    if asked.mode is None:
        answer, in_force = await find_by_policy(ports, caller, query, asked.documents, asked.vector)
    else:
        answer = await find(ports, caller, query)
    _noted(answer, response)
    hits, unreadable = show(answer.hits, _hit)
    return IndexOut(
        query=asked.query,
        mode=answer.mode,
        policy=policy_out(in_force) if in_force else None,
        hits=hits,
        total=answer.total,
        took_ms=round(answer.took_ms, 2),
        unreadable=unreadable,
    )


def _query(asked: IndexQuery) -> Asked:
    return Asked(
        asked.query,
        asked.project,
        limit=asked.limit,
        filters=filters_of(asked.category, asked.tags, asked.since, asked.until),
        mode=asked.mode or "balanced",
        fusion=asked.fusion,
        vectors=asked.vector is not False,
        kinds=kinds_of(asked.documents is not False),
        as_of=asked.as_of,
        weak=asked.weak,
    )


def filters_of(
    category: Category | None,
    tags: Sequence[str] | None,
    since: datetime | None,
    until: datetime | None,
) -> Filters:
    return Filters(
        categories=(category,) if category else (),
        tags=tuple(tags or ()),
        created_after=since,
        created_before=until,
    )


def kinds_of(documents: bool) -> tuple[str, ...]:
    return (CHUNK, MEMORY) if documents else (MEMORY,)


def _noted(answer: Hits, response: Response) -> None:
    response.headers["X-Cache"] = "hit" if answer.cached else "miss"


def _ids(answer: Hits) -> list[UUID]:
    return [hit.memory.id for hit in answer.hits if hit.memory]


def _both(hit: Hit) -> dict[str, Any]:
    memory, chunk = hit.memory, hit.chunk
    return {
        "id": hit.id,
        "kind": hit.kind,
        "url": address_of(hit.kind, hit.id),
        "memory_id": memory.id if memory else None,
        "memory": memory.content if memory else None,
        "chunk_id": chunk.chunk_id if chunk else None,
        "chunk": chunk.content if chunk else None,
        "document_id": chunk.document_id if chunk else memory.document_id if memory else None,
        "weak": hit.is_weak,
    }


def _relevant(hit: Hit) -> RelevantOut:
    relevance = round(hit.score, 4)
    if hit.kind == MEMORY and hit.memory:
        return RelevantOut(
            **_both(hit),
            content=hit.memory.content,
            category=hit.memory.category,
            relevance=relevance,
            **said(hit.memory),
            created=hit.memory.created_at,
        )
    assert hit.chunk is not None
    return RelevantOut(
        **_both(hit),
        content=hit.chunk.content,
        category=DOCUMENT,
        relevance=relevance,
        speaker=hit.chunk.speaker,
        said_at=hit.chunk.said_at,
        dates=[],
        created=hit.chunk.created_at,
    )


def _hit(hit: Hit) -> IndexHit:
    both = _both(hit)
    # A compact hit has the whole text of neither.
    for name in ("memory", "chunk"):
        both[name] = shorten(both[name], SNIPPET) if both[name] else None
    score = round(hit.score, 4)
    if hit.kind == MEMORY and (memory := hit.memory):
        return IndexHit(
            **both,
            title=memory.title or title_of(memory.content),
            snippet=shorten(memory.content, SNIPPET),
            category=memory.category,
            source_url=hit.chunk.source_url if hit.chunk else None,
            project_id=memory.project_id,
            score=score,
            speaker=memory.speaker,
            created_at=memory.created_at,
        )
    assert hit.chunk is not None
    return IndexHit(
        **both,
        title=hit.chunk.title,
        snippet=shorten(hit.chunk.content, SNIPPET),
        source_url=hit.chunk.source_url,
        project_id=hit.chunk.project_id,
        score=score,
        created_at=hit.chunk.created_at,
    )
