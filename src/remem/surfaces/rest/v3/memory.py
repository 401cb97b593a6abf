"""Save documents."""

from dataclasses import replace
from typing import Annotated, Any
from uuid import UUID

from fastapi import APIRouter, Header, Query, Response
from pydantic import Field

from remem.core.documents.ingest import ingest
from remem.core.documents.model import CONTENT_LIMIT, Document, Draft, SavedDocument
from remem.core.documents.save_once import KEY_LIMIT
from remem.core.errors import Invalid
from remem.core.extraction_ports import Extracted
from remem.core.text import TITLE_LIMIT, clean
from remem.surfaces.rest.deps import PortsDep, Writer
from remem.surfaces.rest.fields import SentType, Tags, WebAddress
from remem.surfaces.rest.guard import Guarded
from remem.surfaces.rest.shapes import Body, Moment, Reply, read_address

router = APIRouter(prefix="/v3", tags=["memory"], route_class=Guarded)


class MemoryIn(Body):
    content: str = Field(
        min_length=1,
        description=f"The text to save, up to {CONTENT_LIMIT:,} characters.",
    )
    title: str | None = Field(default=None, max_length=TITLE_LIMIT)
    source_url: WebAddress | None = None
    content_type: SentType | None = Field(
        default=None, description="With `url`, the content is a URL to fetch."
    )
    cleaned: bool = Field(
        default=False,
        description="With `content_type` `html`: the content is the text of the page as Markdown,"
        " not its markup. Without effect on other content.",
    )
    project_id: UUID | None = Field(default=None, description="The default project if absent.")
    project: str | None = Field(default=None, description="A slug, path or name instead of an id.")
    metadata: dict[str, Any] = Field(default_factory=dict)
    tags: Tags = Field(default_factory=list)
    updates_memory_id: UUID | None = Field(
        default=None, description="The document of which this is a new version."
    )
    forget_after: Moment | None = Field(
        default=None, description="When to forget it automatically."
    )
    index_only: bool = Field(default=False, description="Distil no memories from it.")
    unread: bool = Field(default=False, description="Mark it as unread, to read it later.")


class MemoryOut(Reply):
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
    added_tags: list[str] = Field(
        default_factory=list, description="Of a duplicate: the tags that this save added to it."
    )
    not_taken: list[str] = Field(
        default_factory=list,
        description="Of a duplicate: the fields that you sent and that it keeps as they were.",
    )
    made_mine: bool = Field(
        default=False, description="Of a duplicate: whether this save said that it is your own."
    )


SaveKey = Annotated[
    str | None,
    Header(
        min_length=1,
        max_length=KEY_LIMIT,
        description="Chosen by you, for example a UUID: repeating the request with the same key"
        " saves nothing again, also if the document was changed meanwhile (200), or deleted (409,"
        " `saved_and_deleted`).",
    ),
]

OTHERWISE: dict[int | str, dict[str, Any]] = {
    200: {"model": MemoryOut, "description": "It was saved before."},
    202: {"model": MemoryOut, "description": "It is saved and being processed."},
}


@router.post("/memory", status_code=201, response_model=MemoryOut, responses=OTHERWISE)
async def save(
    body: MemoryIn,
    ports: PortsDep,
    caller: Writer,
    response: Response,
    in_background: Annotated[bool, Query(alias="async")] = False,
    idempotency_key: SaveKey = None,
) -> MemoryOut:
    """Save a text. 201: it can be found now. 202: it is saved and being processed. 200: it was
    saved before."""
    draft = replace(_draft(body, in_background), key=idempotency_key)
    return answer(await ingest(ports, caller, draft), response)


def answer(saved: SavedDocument, response: Response, *, changed: bool = False) -> MemoryOut:
    """Render the result of a save, and set the status."""
    if saved.existing and not changed:
        response.status_code = 200
    elif saved.job_id:
        response.status_code = 202
    return _saved(saved)


def _draft(body: MemoryIn, in_background: bool) -> Draft:
    fetch = body.content_type == "url"
    source_url = read_address(body.content) if fetch else body.source_url
    is_cleaned = body.cleaned and body.content_type == "html"
    return Draft(
        content="" if fetch else body.content,
        extracted=Extracted(clean(body.content), "html") if is_cleaned else None,
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
        unread=body.unread,
    )


def _tags_within(metadata: dict[str, Any]) -> list[str]:
    tags = metadata.get("tags", [])
    if not isinstance(tags, list) or not all(isinstance(tag, str) for tag in tags):
        raise Invalid("metadata.tags", "is not a list of strings; send one, or leave it out")
    return tags


def _unique(tags: list[str]) -> list[str]:
    return list(dict.fromkeys(tag.strip() for tag in tags if tag.strip()))


def _saved(saved: SavedDocument) -> MemoryOut:
    document = saved.document
    return MemoryOut.of(
        document,
        metadata=with_tags(document),
        duplicate=saved.existing,
        job_id=saved.job_id,
        added_tags=list(saved.added_tags),
        not_taken=list(saved.not_taken),
        made_mine=saved.made_mine,
    )


def with_tags(document: Document) -> dict[str, Any]:
    return {**document.metadata, "tags": document.tags} if document.tags else document.metadata
