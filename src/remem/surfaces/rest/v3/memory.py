"""Save and recall."""

from typing import Annotated, Any, Literal
from uuid import UUID

from fastapi import APIRouter, Query, Response
from pydantic import BaseModel, Field, HttpUrl

from remem.core.documents.ingest import ingest
from remem.core.documents.model import CONTENT_LIMIT, Document, Draft, Saved
from remem.core.documents.read import touch
from remem.core.errors import Invalid
from remem.core.search.model import (
    LIMIT_DEFAULT,
    LIMIT_MAX,
    TOKENS_MAX,
    Filters,
    Found,
    Hit,
)
from remem.core.search.model import Query as Asked
from remem.core.search.pack import pack
from remem.core.search.recall import recall
from remem.core.text import TITLE_LIMIT
from remem.surfaces.rest.deps import PortsDep, Reader, Writer
from remem.surfaces.rest.guard import Guarded
from remem.surfaces.rest.listing import UnreadableItems, show
from remem.surfaces.rest.shapes import Body, Moment, read_address

router = APIRouter(prefix="/v3", tags=["memory"], route_class=Guarded)

ContentType = Literal[
    "text", "markdown", "html", "pdf", "image", "audio", "video", "code", "json", "csv", "docx",
    "xlsx", "pptx", "epub", "email", "tweet", "subtitles", "note",
]  # fmt: skip


class MemoryIn(Body):
    content: str = Field(
        min_length=1,
        description=f"What to remember, up to {CONTENT_LIMIT:,} characters.",
    )
    title: str | None = Field(default=None, max_length=TITLE_LIMIT)
    source_url: HttpUrl | None = None
    content_type: ContentType | Literal["url"] | None = Field(
        default=None, description="With `url`, the content is an address that is fetched."
    )
    project_id: UUID | None = Field(default=None, description="The default project when absent.")
    project: str | None = Field(default=None, description="A slug, path or name instead of an id.")
    metadata: dict[str, Any] = Field(default_factory=dict)
    tags: list[str] = Field(default_factory=list)
    updates_memory_id: UUID | None = Field(
        default=None, description="The document this is a new version of."
    )
    forget_after: Moment | None = Field(default=None, description="When to forget it by itself.")
    index_only: bool = Field(default=False, description="Distil no memories from it.")


class MemoryOut(BaseModel):
    id: UUID
    title: str
    summary: str | None
    chunk_count: int
    metadata: dict[str, Any]
    created_at: Moment
    status: str
    project_id: UUID
    duplicate: bool = False
    job_id: UUID | None = None


OTHERWISE: dict[int | str, dict[str, Any]] = {
    200: {"model": MemoryOut, "description": "It was here already."},
    202: {"model": MemoryOut, "description": "It is kept and being worked on."},
}


@router.post("/memory", status_code=201, response_model=MemoryOut, responses=OTHERWISE)
async def save(
    body: MemoryIn,
    ports: PortsDep,
    caller: Writer,
    response: Response,
    in_background: Annotated[bool, Query(alias="async")] = False,
) -> MemoryOut:
    """Keep something. 201: it can be found now. 202: it is kept and being worked on. 200: it was
    here already."""
    return answer(await ingest(ports, caller, _draft(body, in_background)), response)


def answer(saved: Saved, response: Response, *, changed: bool = False) -> MemoryOut:
    """What became of a save, and the status that says it."""
    if saved.existing and not changed:
        response.status_code = 200
    elif saved.job_id:
        response.status_code = 202
    return _saved(saved.document, saved.existing, saved.job_id)


def _draft(body: MemoryIn, in_background: bool) -> Draft:
    fetch = body.content_type == "url"
    source_url = read_address(body.content) if fetch else body.source_url
    return Draft(
        content="" if fetch else body.content,
        fetch=fetch,
        title=body.title,
        content_type=None if body.content_type == "url" else body.content_type,
        source_url=str(source_url) if source_url else None,
        project=body.project_id or body.project,
        metadata=body.metadata,
        tags=_unique([*body.tags, *_tags_within(body.metadata)]),
        updates_id=body.updates_memory_id,
        forget_after=body.forget_after,
        in_background=in_background,
        index_only=body.index_only,
    )


def _tags_within(metadata: dict[str, Any]) -> list[str]:
    tags = metadata.get("tags", [])
    if not isinstance(tags, list) or not all(isinstance(tag, str) for tag in tags):
        raise Invalid("metadata.tags", "is not a list of strings; send one, or leave it out")
    return tags


def _unique(tags: list[str]) -> list[str]:
    return list(dict.fromkeys(tag.strip() for tag in tags if tag.strip()))


def _saved(document: Document, duplicate: bool, job_id: UUID | None) -> MemoryOut:
    return MemoryOut(
        id=document.id,
        title=document.title,
        summary=document.summary,
        chunk_count=document.chunk_count,
        metadata=with_tags(document),
        created_at=document.created_at,
        status=document.status,
        project_id=document.project_id,
        duplicate=duplicate,
        job_id=job_id,
    )


def with_tags(document: Document) -> dict[str, Any]:
    return {**document.metadata, "tags": document.tags} if document.tags else document.metadata


class FiltersIn(Body):
    content_type: list[ContentType] = Field(default_factory=list)
    created_after: Moment | None = None
    created_before: Moment | None = None
    tags: list[str] = Field(default_factory=list)
    metadata: dict[str, Any] = Field(
        default_factory=dict, description="Only documents whose metadata contains this."
    )


class RecallIn(Body):
    query: str = Field(default="", description="What to look for; empty gives the most recent.")
    project_id: UUID | None = Field(default=None, description="Everywhere when absent.")
    project: str | None = Field(
        default=None,
        description="A slug, path or name instead of an id; `path.*` is it and all below.",
    )
    limit: int = Field(default=LIMIT_DEFAULT, ge=1, le=LIMIT_MAX)
    filters: FiltersIn = Field(default_factory=FiltersIn)
    mode: Literal["fast", "balanced", "deep"] = Field(
        default="balanced", description="Words only, words and meaning, or all we have."
    )
    asked_at: Moment | None = Field(
        default=None, description='What "last week" is counted from; now when absent.'
    )
    max_tokens: int | None = Field(
        default=None, ge=50, le=TOKENS_MAX, description="Pack the best into a context this long."
    )
    explain: bool = Field(default=False, description="Add the parts of each score.")
    variants: bool = Field(
        default=False, description="Ask in other words as well, if there is a language model."
    )


class PartsOut(BaseModel):
    vector: float
    text: float
    recency: float
    evidence: dict[str, float] = Field(description="What the text part is made of.")


class ChunkOut(BaseModel):
    memory_id: UUID
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
    explain: PartsOut | None = None


class ResultOut(BaseModel):
    document_id: UUID
    title: str
    summary: str | None
    score: float
    source_url: str | None
    content_type: str
    tags: list[str]
    metadata: dict[str, Any]
    project_id: UUID
    created_at: Moment
    chunks: list[ChunkOut]


class ContextOut(BaseModel):
    text: str
    tokens: int
    left_out: int = Field(description="Chunks that found no room.")


class RecallOut(BaseModel):
    results: list[ResultOut]
    total: int
    query_time_ms: float
    context: ContextOut | None = None
    unreadable: UnreadableItems


@router.post("/recall", response_model=RecallOut, response_model_exclude_none=False)
async def find(
    body: RecallIn,
    ports: PortsDep,
    caller: Reader,
    response: Response,
) -> RecallOut:
    """Find by meaning and by word: 0.6 × vector + 0.4 × text + up to 0.1 for what is recent."""
    answer = await recall(ports, caller, _asked(body))
    ids = [found.document.document_id for found in answer.found]
    touch(ports, caller, ids)
    response.headers["X-Cache"] = "hit" if answer.cached else "miss"
    results, unreadable = show(
        answer.found,
        lambda found: _result(found, body.explain),
        lambda found: found.document.document_id,
    )
    return RecallOut(
        results=results,
        unreadable=unreadable,
        total=len(results),
        query_time_ms=round(answer.took_ms, 2),
        context=_context(answer.found, body.max_tokens) if body.max_tokens else None,
    )


def _asked(body: RecallIn) -> Asked:
    return Asked(
        text=body.query,
        project=body.project_id or body.project,
        limit=body.limit,
        mode=body.mode,
        asked_at=body.asked_at,
        explain=body.explain,
        variants=body.variants,
        filters=Filters(
            content_types=tuple(body.filters.content_type),
            tags=tuple(body.filters.tags),
            created_after=body.filters.created_after,
            created_before=body.filters.created_before,
            metadata=body.filters.metadata,
        ),
    )


def _context(found: list[Found], max_tokens: int) -> ContextOut:
    packed = pack(found, max_tokens)
    return ContextOut(text=packed.text, tokens=packed.tokens, left_out=packed.left_out)


def _result(found: Found, explain: bool) -> ResultOut:
    document = found.document
    return ResultOut(
        document_id=document.document_id,
        title=document.title,
        summary=document.summary,
        score=round(found.score, 6),
        source_url=document.source_url,
        content_type=document.content_type,
        tags=document.tags,
        metadata=dict(document.metadata),
        project_id=document.project_id,
        created_at=document.created_at,
        chunks=[_chunk(hit, explain) for hit in found.hits],
    )


def _chunk(hit: Hit, explain: bool) -> ChunkOut:
    chunk = hit.candidate
    return ChunkOut(
        memory_id=chunk.chunk_id,
        content=chunk.content,
        chunk_index=chunk.chunk_index,
        score=round(hit.score, 6),
        start_offset=chunk.start_offset,
        end_offset=chunk.end_offset,
        page=chunk.page,
        at_s=chunk.at_s,
        heading_path=chunk.heading_path,
        speaker=chunk.speaker,
        said_at=chunk.said_at,
        explain=_parts(hit) if explain else None,
    )


def _parts(hit: Hit) -> PartsOut:
    parts = hit.parts
    told = {name: round(value, 4) for name, value in parts.evidence.items()}
    return PartsOut(vector=parts.vector, text=parts.text, recency=parts.recency, evidence=told)
