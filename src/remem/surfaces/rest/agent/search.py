"""Search memories by relevance, or as a compact index."""

from dataclasses import dataclass
from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Depends, Query, Response

from remem.core.evolution.arena.find_by_policy import find_by_policy
from remem.core.filters import Filters
from remem.core.index.kinds import CHUNK, MEMORY
from remem.core.judgements import Category
from remem.core.memories.browse import touch_memories
from remem.core.search.find import find
from remem.core.search.model import Fusion, Hits, Mode
from remem.core.search.model import Query as Asked
from remem.surfaces.rest.agent.evolve_shapes import policy_out
from remem.surfaces.rest.agent.search_shapes import (
    IndexOut,
    RelevantList,
    index_hit,
    relevant_out,
)
from remem.surfaces.rest.deps import PortsDep, Reader, SettingsDep
from remem.surfaces.rest.fields import PageLimit
from remem.surfaces.rest.filters import filters_of
from remem.surfaces.rest.guard import Guarded
from remem.surfaces.rest.listing import show
from remem.surfaces.rest.shapes import Moment

router = APIRouter(prefix="/api", tags=["agents: memories"], route_class=Guarded)

Text = Annotated[str, Query(min_length=1, description="What to search for, in any words.")]
Project = Annotated[
    str | None, Query(description="An id, slug, path or name; `path.*` includes subprojects.")
]
Documents = Annotated[
    bool, Query(description="Include parts of documents; `false`: memories only.")
]
Tags = Annotated[list[str] | None, Query(description="All of these.")]
Weak = Annotated[bool, Query(description="Include unlikely results, marked `weak`.")]

Variants = Annotated[
    bool | None,
    Query(
        description="Also search for three paraphrases by the language model; the default is"
        " REMEM_SEARCH_VARIANTS."
    ),
]


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
    search_query = Asked(
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
    answer = await find(ports, caller, search_query)
    _set_cache_header(answer, response)
    touch_memories(ports, caller, _memory_ids(answer))
    memories, unreadable = show(answer.hits, relevant_out)
    return RelevantList(
        found=len(memories),
        memories=memories,
        model_unused=answer.model_unused,
        unreadable=unreadable,
    )


@dataclass(frozen=True, slots=True)
class IndexQuery:
    """The query parameters of a compact search."""

    query: Text
    mode: Annotated[
        Mode | None,
        Query(description="If absent, the active policy decides (`GET /api/evolve/policy`)."),
    ] = None
    fusion: Annotated[Fusion, Query(description="How the rankings are combined.")] = "rrf"
    documents: Annotated[
        bool | None, Query(description="Include parts of documents; `false`: memories only.")
    ] = None
    vector: Annotated[
        bool | None, Query(description="Search by meaning too, if the mode does.")
    ] = None
    as_of: Annotated[Moment | None, Query(description="What was valid at this time.")] = None
    category: Category | None = None
    project: Project = None
    tags: Tags = None
    since: Annotated[Moment | None, Query(description="Saved at this time or later.")] = None
    until: Annotated[Moment | None, Query(description="Saved before this time.")] = None
    limit: PageLimit = 10
    weak: Weak = False


@router.get("/memories/search-index", response_model=IndexOut)
async def search_index(
    ports: PortsDep, caller: Reader, response: Response, params: Annotated[IndexQuery, Depends()]
) -> IndexOut:
    """Search and return compact hits, from which to choose what to read in full."""
    query, policy = _query(params), None
    if params.mode is None:
        answer, policy = await find_by_policy(ports, caller, query, params.documents, params.vector)
    else:
        answer = await find(ports, caller, query)
    _set_cache_header(answer, response)
    hits, unreadable = show(answer.hits, index_hit)
    return IndexOut.of(
        answer,
        query=params.query,
        policy=policy_out(policy) if policy else None,
        hits=hits,
        took_ms=round(answer.took_ms, 2),
        unreadable=unreadable,
    )


def _query(params: IndexQuery) -> Asked:
    return Asked(
        params.query,
        params.project,
        limit=params.limit,
        filters=filters_of(params),
        mode=params.mode or "balanced",
        fusion=params.fusion,
        vectors=params.vector is not False,
        kinds=kinds_of(params.documents is not False),
        as_of=params.as_of,
        weak=params.weak,
    )


def kinds_of(documents: bool) -> tuple[str, ...]:
    return (CHUNK, MEMORY) if documents else (MEMORY,)


def _set_cache_header(answer: Hits, response: Response) -> None:
    response.headers["X-Cache"] = "hit" if answer.cached else "miss"


def _memory_ids(answer: Hits) -> list[UUID]:
    return [hit.memory.id for hit in answer.hits if hit.memory]
