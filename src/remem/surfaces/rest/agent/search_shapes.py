"""The replies of a memory search: full texts by relevance, or a compact index."""

from typing import Any
from uuid import UUID

from pydantic import Field

from remem.core.index.kinds import MEMORY
from remem.core.search.excerpt import readable
from remem.core.search.model import Hit
from remem.core.text import shorten, shown_title, title_of
from remem.surfaces.rest.agent.evolve_shapes import PolicyOut
from remem.surfaces.rest.agent.shapes import Camel, ReplacedBy, replaced_by_out
from remem.surfaces.rest.listing import UnreadableItems
from remem.surfaces.rest.shapes import DateOut, Moment, address_of

SNIPPET_CHARS = 240
# The category of a part of a document.
DOCUMENT = "document"


class Match(Camel):
    """The fields of every hit. A memory and the chunk it was derived from are one hit, with both
    ids and both texts; `kind`, `id` and `url` are those of the better match."""

    id: UUID
    kind: str = Field(description="`memory`, or `chunk` of a document.")
    url: str = Field(description="Where it can be read.")
    memory_id: UUID | None = None
    memory: str | None = Field(default=None, description="The text of the memory.")
    chunk_id: UUID | None = None
    chunk: str | None = Field(default=None, description="The text of the chunk.")
    document_id: UUID | None = None
    occurred_at: Moment | None = Field(
        default=None, description="When the event of the memory happened."
    )
    due_at: Moment | None = Field(default=None, description="When the memory is due.")
    weak: bool = Field(default=False, description="Whether it is an unlikely hit.")
    replaced_by: ReplacedBy | None = Field(
        default=None,
        description="Present if most of the chunk is outdated: the memory that is valid instead.",
    )


class RelevantOut(Match):
    content: str
    category: str = Field(description="A memory's category, or `document`.")
    relevance: float = Field(
        description="From 0 to 1, best first; comparable between queries. From about 0.5 on, a hit"
        " probably answers."
    )
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


class IndexHit(Match):
    title: str
    snippet: str
    category: str | None = None
    source_url: str | None = Field(default=None, description="Where a document came from.")
    project_id: UUID
    score: float = Field(description="The relevance, from 0 to 1.")
    speaker: str | None = None
    created_at: Moment


class IndexOut(Camel):
    query: str
    mode: str = Field(description="The mode that was used: `balanced` if `best` was not available.")
    policy: PolicyOut | None = Field(
        default=None, description="The policy that chose how to search; null if the caller did."
    )
    hits: list[IndexHit]
    total: int
    took_ms: float
    unreadable: UnreadableItems


def _match_fields(hit: Hit) -> dict[str, Any]:
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
        "occurred_at": memory.occurred_at if memory else None,
        "due_at": memory.due_at if memory else None,
        "replaced_by": replaced_by_out(hit.replaced_by) if hit.replaced_by else None,
    }


def relevant_out(hit: Hit) -> RelevantOut:
    relevance = round(hit.relevance, 4)
    if hit.kind == MEMORY and hit.memory:
        return RelevantOut.of(
            hit.memory, **_match_fields(hit), relevance=relevance, created=hit.memory.created_at
        )
    assert hit.chunk is not None
    return RelevantOut.of(
        hit.chunk,
        **_match_fields(hit),
        category=DOCUMENT,
        relevance=relevance,
        dates=[],
        created=hit.chunk.created_at,
    )


def index_hit(hit: Hit) -> IndexHit:
    fields = _match_fields(hit)
    # A compact hit shortens both texts.
    for name in ("memory", "chunk"):
        fields[name] = shorten(fields[name], SNIPPET_CHARS) if fields[name] else None
    score = round(hit.relevance, 4)
    if hit.kind == MEMORY and (memory := hit.memory):
        return IndexHit.of(
            memory,
            **fields,
            title=shown_title(memory.title or title_of(memory.content)),
            snippet=_snippet(memory.content, "memory"),
            source_url=hit.chunk.source_url if hit.chunk else None,
            score=score,
        )
    assert hit.chunk is not None
    return IndexHit.of(
        hit.chunk,
        **fields,
        speaker=None,
        title=shown_title(hit.chunk.title),
        snippet=_snippet(hit.chunk.content[hit.chunk.repeated :], hit.chunk.content_type),
        score=score,
    )


def _snippet(text: str, content_type: str) -> str:
    plain = readable(text, content_type)
    return shorten(plain if plain == text else " ".join(plain.split()), SNIPPET_CHARS)
