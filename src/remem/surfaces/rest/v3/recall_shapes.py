"""The body and the reply of a recall: results, their chunks and memories."""

from typing import Any, Literal
from uuid import UUID

from pydantic import Field

from remem.core.documents.voice import own_speaker
from remem.core.index.kinds import CHUNK, MEMORY
from remem.core.language.person import is_user
from remem.core.memories.model import Memory
from remem.core.search.model import (
    LIMIT_DEFAULT,
    LIMIT_MAX,
    TOKENS_MAX,
    Hit,
    Mode,
    RecallResult,
    Replacement,
)
from remem.core.search.model import Query as Asked
from remem.core.search.pack import pack
from remem.core.text import shown_title, title_of
from remem.surfaces.rest.filters import FiltersIn, filters_of
from remem.surfaces.rest.listing import UnreadableItems
from remem.surfaces.rest.shapes import Body, Moment, Reply, address_of

_KINDS = {"document": CHUNK, "memory": MEMORY}


class RecallIn(Body):
    query: str = Field(default="", description="What to search for; if empty, the newest items.")
    project_id: UUID | None = Field(default=None, description="All projects if absent.")
    project: str | None = Field(
        default=None,
        description="A slug, path or name instead of an id; `path.*` includes its subprojects.",
    )
    limit: int = Field(default=LIMIT_DEFAULT, ge=1, le=LIMIT_MAX)
    filters: FiltersIn = Field(default_factory=FiltersIn)
    mode: Mode = Field(
        default="balanced",
        description="Words only, words and meaning, linked memories too, or reranked.",
    )
    asked_at: Moment | None = Field(
        default=None, description='The time to which "last week" refers; now if absent.'
    )
    max_tokens: int | None = Field(
        default=None,
        ge=50,
        le=TOKENS_MAX,
        description="Pack the best results into a context of this length.",
    )
    explain: bool = Field(default=False, description="Include the parts of each score.")
    kinds: list[Literal["document", "memory"]] | None = Field(
        default=None, description="Documents or memories only; both if absent."
    )
    weak: bool = Field(default=False, description="Include unlikely results, marked `weak`.")
    variants: bool = Field(
        default=False, description="Also search for paraphrases, if there is a language model."
    )


class PartsOut(Reply):
    vector: float
    text: float
    recency: float
    evidence: dict[str, float] = Field(description="The components of the text part.")
    relevance: float | None = Field(default=None, description="The reader's score, with `best`.")
    reader: float = Field(default=0.0, description="What the reader added to the score.")


class StatementOut(Reply):
    """A memory from a chunk."""

    id: UUID
    url: str
    content: str
    category: str
    occurred_at: Moment | None = Field(default=None, description="When it happened.")
    due_at: Moment | None = Field(default=None, description="When it is due.")


class ReplacementOut(Reply):
    """The current memory that replaces what a chunk says."""

    id: UUID
    url: str
    content: str
    category: str
    since: Moment


class ChunkOut(Reply):
    """A chunk of a document with its memories, or a memory without a document."""

    memory_id: UUID = Field(description="The id of the chunk, or of the memory.")
    kind: Literal["chunk", "memory"]
    url: str = Field(description="Where it can be read.")
    content: str
    chunk_index: int
    score: float
    start_offset: int
    end_offset: int
    page: int | None = None
    at_s: float | None = Field(default=None, description="Seconds from the beginning.")
    heading_path: list[str] = Field(default_factory=list)
    speaker: str | None = None
    said_at: Moment | None = None
    occurred_at: Moment | None = Field(
        default=None, description="When the event of a memory happened."
    )
    due_at: Moment | None = Field(default=None, description="When a memory is due.")
    memories: list[StatementOut] = Field(
        default_factory=list, description="Matching memories from this chunk, nearest first."
    )
    replaced_by: ReplacementOut | None = Field(
        default=None,
        description="Present if most of this chunk is outdated: the memory that is valid instead.",
    )
    explain: PartsOut | None = None


class ResultOut(Reply):
    """A document, or a memory without a matching document: then `document_id` is the document it is
    linked to, if any, and `chunks` has the memory itself."""

    kind: Literal["document", "memory"]
    id: UUID
    url: str = Field(description="Where it can be read.")
    document_id: UUID | None
    title: str
    summary: str | None
    said_by: str | None = Field(
        default=None,
        description="Whose words they are if not the user's: an author, `Page: …` or `File: …`.",
    )
    score: float
    weak: bool = Field(default=False, description="Whether it is an unlikely result.")
    source_url: str | None
    content_type: str = Field(description="A document's type, or `memory`.")
    category: str | None = Field(default=None, description="A memory's category.")
    tags: list[str]
    metadata: dict[str, Any]
    project_id: UUID
    created_at: Moment
    chunks: list[ChunkOut]


class ContextOut(Reply):
    text: str
    tokens: int
    left_out: int = Field(description="The number of chunks that did not fit.")


class RecallOut(Reply):
    results: list[ResultOut]
    total: int = Field(description="How many documents and memories match, shown or not.")
    query_time_ms: float
    mode: Mode = Field(
        description="The mode that was used: `balanced` if `best` was not available."
    )
    suggestion: str | None = Field(
        description="The query with misspelt words corrected, when nothing was found."
    )
    model_unused: str | None = Field(
        default=None,
        description="With `variants`: why the language model was not used, such as"
        " `llm_budget_spent` or `llm_paused`.",
    )
    context: ContextOut | None = None
    unreadable: UnreadableItems


def query_of(body: RecallIn) -> Asked:
    return Asked(
        text=body.query,
        project=body.project_id or body.project,
        limit=body.limit,
        mode=body.mode,
        asked_at=body.asked_at,
        explain=body.explain,
        variants=body.variants,
        weak=body.weak,
        kinds=tuple(_KINDS[kind] for kind in body.kinds or _KINDS),
        filters=filters_of(body.filters),
    )


def context_out(results: list[RecallResult], max_tokens: int) -> ContextOut:
    packed = pack(results, max_tokens)
    return ContextOut.of(packed)


def result_out(result: RecallResult, explain: bool) -> ResultOut:
    chunks = [_chunk(hit, explain) for hit in result.hits]
    document = result.document
    if document is None:
        return _memory_result(result, chunks)
    return ResultOut.of(
        document,
        kind="document",
        id=document.document_id,
        url=address_of("document", document.document_id),
        title=shown_title(document.title),
        said_by=own_speaker(
            document.content_type,
            document.source_url,
            document.metadata,
            document.title,
            document.file_name,
        ),
        score=round(result.score, 6),
        weak=result.is_weak,
        chunks=chunks,
    )


def _memory_result(result: RecallResult, chunks: list[ChunkOut]) -> ResultOut:
    memory = result.hits[0].memories[0]
    return ResultOut.of(
        memory,
        kind="memory",
        url=address_of("memory", memory.id),
        title=shown_title(memory.title or title_of(memory.content)),
        summary=None,
        said_by=None if is_user(memory.speaker) else memory.speaker,
        score=round(result.score, 6),
        weak=result.is_weak,
        source_url=None,
        content_type="memory",
        metadata=memory.context,
        chunks=chunks,
    )


def _chunk(hit: Hit, explain: bool) -> ChunkOut:
    chunk, parts = hit.chunk, _parts(hit) if explain else None
    if chunk is None or hit.lone:
        memory = hit.memories[0]
        return ChunkOut.of(
            memory,
            memory_id=memory.id,
            kind="memory",
            url=address_of("memory", memory.id),
            chunk_index=0,
            score=round(hit.score, 6),
            start_offset=0,
            end_offset=len(memory.content),
            explain=parts,
        )
    return ChunkOut.of(
        chunk,
        memory_id=chunk.chunk_id,
        kind="chunk",
        url=address_of("chunk", chunk.chunk_id),
        score=round(hit.score, 6),
        memories=[_statement(memory) for memory in hit.memories],
        replaced_by=_replacement(hit.replaced_by) if hit.replaced_by else None,
        explain=parts,
    )


def _replacement(newer: Replacement) -> ReplacementOut:
    return ReplacementOut.of(newer, url=address_of("memory", newer.id))


def _statement(memory: Memory) -> StatementOut:
    return StatementOut.of(memory, url=address_of("memory", memory.id))


def _parts(hit: Hit) -> PartsOut:
    parts = hit.parts
    evidence = {name: round(value, 4) for name, value in parts.evidence.items()}
    return PartsOut.of(parts, evidence=evidence, reader=round(parts.reader, 6))
