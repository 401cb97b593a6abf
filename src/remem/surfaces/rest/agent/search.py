"""Search memories: by relevance, or as a compact index of what there is."""

from datetime import datetime
from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Query, Response
from pydantic import Field

from remem.core.index.kinds import CHUNK, MEMORY
from remem.core.memories.browse import touch_memories
from remem.core.memories.model import Category
from remem.core.search.find import find
from remem.core.search.model import Filters, Fusion, Item, Items, Mode
from remem.core.search.model import Query as Asked
from remem.core.text import shorten, title_of
from remem.surfaces.rest.agent.shapes import Camel
from remem.surfaces.rest.deps import PortsDep, Reader
from remem.surfaces.rest.guard import Guarded
from remem.surfaces.rest.listing import UnreadableItems, show
from remem.surfaces.rest.shapes import DateOut, Moment, said

router = APIRouter(prefix="/api", tags=["agents: memories"], route_class=Guarded)

# Below this cosine, and without a word in common, a memory has nothing to say to a query.
LEAST_COSINE = 0.2
SNIPPET = 240

Text = Annotated[str, Query(min_length=1, description="What to look for, in any words.")]
Project = Annotated[str | None, Query(description="An id, slug, path or name; `path.*` for all.")]


class RelevantOut(Camel):
    id: UUID
    content: str
    category: str
    relevance: float = Field(description="From 0 to 1, best first.")
    speaker: str | None
    said_at: Moment | None
    dates: list[DateOut]
    created: Moment


class RelevantList(Camel):
    found: int
    memories: list[RelevantOut]
    unreadable: UnreadableItems


class IndexHit(Camel):
    id: UUID
    kind: str = Field(description="`memory`, or `chunk` of a document.")
    title: str
    snippet: str
    category: str | None = None
    document_id: UUID | None = None
    source_url: str | None = Field(default=None, description="Where a document came from.")
    project_id: UUID
    score: float
    speaker: str | None = None
    created_at: Moment


class IndexOut(Camel):
    query: str
    mode: str
    hits: list[IndexHit]
    total: int
    took_ms: float
    unreadable: UnreadableItems


@router.get("/memories/search", response_model=RelevantList)
async def search(
    ports: PortsDep,
    caller: Reader,
    response: Response,
    query: Text,
    limit: Annotated[int, Query(ge=1, le=10)] = 5,
    category: Category | None = None,
    project: Project = None,
) -> RelevantList:
    """The memories that say most about it: meaning and words, joined by their ranks."""
    asked = Asked(
        query,
        project,
        limit=limit,
        filters=Filters(categories=(category,) if category else ()),
        mode="deep",
        fusion="rrf",
        kinds=(MEMORY,),
        least_cosine=LEAST_COSINE,
    )
    answer = await find(ports, caller, asked)
    _noted(answer, response)
    touch_memories(ports, caller, _ids(answer))
    memories, unreadable = show(answer.items, _relevant)
    return RelevantList(found=len(memories), memories=memories, unreadable=unreadable)


@router.get("/memories/search-index", response_model=IndexOut)
async def search_index(
    ports: PortsDep,
    caller: Reader,
    response: Response,
    query: Text,
    mode: Mode = "balanced",
    fusion: Annotated[Fusion, Query(description="How the arms are joined.")] = "rrf",
    documents: Annotated[bool, Query(description="Chunks of documents too.")] = False,
    vector: Annotated[bool, Query(description="By meaning too, where the mode does.")] = True,
    as_of: Annotated[Moment | None, Query(description="What held at that moment.")] = None,
    category: Category | None = None,
    project: Project = None,
    limit: Annotated[int, Query(ge=1, le=100)] = 10,
) -> IndexOut:
    """Compact hits, ranked: enough to choose which to read whole."""
    asked = Asked(
        query,
        project,
        limit=limit,
        filters=Filters(categories=(category,) if category else ()),
        mode=mode,
        fusion=fusion,
        vectors=vector,
        kinds=(MEMORY, CHUNK) if documents and not category else (MEMORY,),
        as_of=as_of,
        least_cosine=LEAST_COSINE,
    )
    answer = await find(ports, caller, asked)
    _noted(answer, response)
    hits, unreadable = show(answer.items, _hit)
    return IndexOut(
        query=query,
        mode=mode,
        hits=hits,
        total=answer.total,
        took_ms=round(answer.took_ms, 2),
        unreadable=unreadable,
    )


def listed(
    text: str, project: str | None, filters: Filters, limit: int, as_of: datetime | None
) -> Asked:
    """A list of memories that is searched instead of paged through."""
    return Asked(
        text,
        project,
        limit=limit,
        filters=filters,
        fusion="rrf",
        kinds=(MEMORY,),
        as_of=as_of,
        least_cosine=LEAST_COSINE,
    )


def _noted(answer: Items, response: Response) -> None:
    response.headers["X-Cache"] = "hit" if answer.cached else "miss"


def _ids(answer: Items) -> list[UUID]:
    return [item.memory.id for item in answer.items if item.memory]


def _relevant(item: Item) -> RelevantOut:
    assert item.memory is not None
    return RelevantOut(
        id=item.memory.id,
        content=item.memory.content,
        category=item.memory.category,
        relevance=round(item.score, 4),
        **said(item.memory),
        created=item.memory.created_at,
    )


def _hit(item: Item) -> IndexHit:
    if memory := item.memory:
        return IndexHit(
            id=memory.id,
            kind=MEMORY,
            title=memory.title or title_of(memory.content),
            snippet=shorten(memory.content, SNIPPET),
            category=memory.category,
            document_id=memory.document_id,
            project_id=memory.project_id,
            score=round(item.score, 4),
            speaker=memory.speaker,
            created_at=memory.created_at,
        )
    assert item.chunk is not None
    return IndexHit(
        id=item.chunk.chunk_id,
        kind=CHUNK,
        title=item.chunk.title,
        snippet=shorten(item.chunk.content, SNIPPET),
        document_id=item.chunk.document_id,
        source_url=item.chunk.source_url,
        project_id=item.chunk.project_id,
        score=round(item.score, 4),
        created_at=item.chunk.created_at,
    )
