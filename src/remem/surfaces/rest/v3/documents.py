"""Read, change and delete documents."""

from typing import Annotated, Any, Literal
from uuid import UUID

from fastapi import APIRouter, Query, Response
from pydantic import BaseModel, Field

from remem.core.documents.change import DocumentEdit, change_document
from remem.core.documents.deleted.delete import delete_document
from remem.core.documents.excerpt import excerpt_of, text_start
from remem.core.documents.flag import set_flags
from remem.core.documents.forget import forget_document
from remem.core.documents.model import Chunk, Document, DocumentChoice, SavedDocument, Sort
from remem.core.documents.read import get_document, list_documents
from remem.core.documents.voice import is_mine
from remem.core.flags import COLUMNS as FLAG_COLUMNS
from remem.core.flags import Flag
from remem.core.text import TITLE_LIMIT
from remem.surfaces.rest.cursors import read_sorted_cursor, write_cursor
from remem.surfaces.rest.deps import PortsDep, Reader, Writer
from remem.surfaces.rest.fields import ContentType, Described, InProject, PageLimit, Tags
from remem.surfaces.rest.guard import Guarded
from remem.surfaces.rest.listing import UnreadableItems, show, show_one
from remem.surfaces.rest.shapes import Body, Moment, Reply
from remem.surfaces.rest.v3.memory import OTHERWISE, MemoryOut, answer, with_tags

Status = Literal["queued", "extracting", "chunking", "embedding", "indexing", "done", "failed"]
router = APIRouter(prefix="/v3", tags=["documents"], route_class=Guarded)


class DocumentLine(Reply):
    id: UUID
    project_id: UUID
    title: str
    summary: str | None
    excerpt: str = Field(
        description="The beginning of its text, without front matter and the header of a mail."
    )
    content_type: str
    source_url: str | None
    metadata: dict[str, Any]
    tags: list[str]
    mine: bool = Field(description='Whether "my" in it means you: you typed it, or said so.')
    unread: bool = Field(description="Whether you marked it as unread.")
    favourite: bool
    archived: bool = Field(description="Whether you archived it: lists leave it out.")
    size_bytes: int | None = Field(
        default=None, description="The size of the original, or of the text; only in lists."
    )
    status: str
    error: str | None
    chunk_count: int
    version: int
    updates_memory_id: UUID | None
    duplicate_of: UUID | None
    has_original: bool
    has_copy: bool = Field(description="Whether the original is a copy of the page as shown.")
    forget_after: Moment | None
    last_accessed_at: Moment | None
    created_at: Moment
    updated_at: Moment


class DocumentChunk(Reply):
    memory_id: UUID
    content: str
    chunk_index: int
    start_offset: int
    end_offset: int
    page: int | None
    at_s: float | None
    heading_path: list[str]


class VersionLine(Reply):
    id: UUID
    title: str
    summary: str | None
    version: int
    is_latest: bool
    created_at: Moment


class DocumentOut(DocumentLine):
    content: str
    text_start: int = Field(
        description="Where the text below front matter and the header of a mail begins."
    )
    chunks: list[DocumentChunk]
    versions: list[VersionLine] | None = None
    unreadable: UnreadableItems


class DocumentChange(Body):
    title: Annotated[str, Described(minLength=1)] | None = Field(
        default=None, max_length=TITLE_LIMIT
    )
    content: str | None = Field(default=None, min_length=1)
    metadata: dict[str, Any] | None = None
    tags: Tags | None = None
    mine: bool | None = Field(
        default=None,
        description='Whether it is your own: "my" in it, and in its memories, means you then.',
    )
    unread: bool | None = Field(default=None, description="A flag of yours, like the next two.")
    favourite: bool | None = None
    archived: bool | None = Field(default=None, description="Leave it out of lists.")
    forget_after: Moment | None = Field(default=None, description="null keeps it forever.")
    project_id: UUID | None = None
    project: str | None = Field(default=None, description="A slug, path or name instead of an id.")


class DocumentPage(BaseModel):
    documents: list[DocumentLine]
    total: int
    next_cursor: str | None
    unreadable: UnreadableItems


@router.get("/documents", response_model=DocumentPage)
async def page(
    ports: PortsDep,
    caller: Reader,
    project: InProject = None,
    content_type: Annotated[
        list[ContentType] | None, Query(description="Any of these; repeat for more.")
    ] = None,
    tags: Annotated[list[str] | None, Query(description="All of these.")] = None,
    status: Annotated[Status | None, Query()] = None,
    created_after: Annotated[
        Moment | None, Query(description="Saved at this time or later.")
    ] = None,
    created_before: Annotated[Moment | None, Query(description="Saved before this time.")] = None,
    title: Annotated[
        str | None, Query(max_length=TITLE_LIMIT, description="A part of the title.")
    ] = None,
    source_url: Annotated[
        str | None, Query(max_length=2_048, description="Exactly this source URL.")
    ] = None,
    flags: Annotated[
        list[Flag] | None, Query(alias="is", description="All of these flags of yours.")
    ] = None,
    archived: Annotated[bool, Query(description="Include what you archived.")] = False,
    sort: Annotated[Sort, Query()] = "created",
    order: Annotated[Literal["asc", "desc"], Query()] = "desc",
    limit: PageLimit = 20,
    cursor: str | None = None,
) -> DocumentPage:
    """List documents without their text, newest first by default."""
    choice = DocumentChoice(
        project=project,
        status=status,
        content_types=tuple(content_type or ()),
        tags=tuple(tags or ()),
        created_after=created_after,
        created_before=created_before,
        title=title,
        source_url=source_url,
        flags=tuple(flags or ()),
        with_archived=archived,
        sort=sort,
        ascending=order == "asc",
    )
    listing = await list_documents(ports, caller, choice, read_sorted_cursor(cursor, sort), limit)
    documents, unreadable = show(listing.documents, _as_line)
    return DocumentPage(
        documents=documents,
        unreadable=unreadable,
        total=listing.total,
        next_cursor=write_cursor(listing.next),
    )


@router.get("/documents/{id}", response_model=DocumentOut)
async def read(
    id: UUID, ports: PortsDep, caller: Reader, include_versions: bool = False
) -> DocumentOut:
    """Get a document with its text, its chunks and, if requested, its versions."""
    detail = await get_document(ports, caller, id)
    chunks, bad_chunks = show(detail.chunks, _chunk)
    versions, bad_versions = show(detail.versions if include_versions else [], VersionLine.of)
    return DocumentOut(
        **show_one(detail.document, _as_line).model_dump(),
        content=detail.document.content,
        text_start=text_start(detail.document.content, detail.document.content_type),
        chunks=chunks,
        versions=versions if include_versions else None,
        unreadable=[*bad_chunks, *bad_versions],
    )


@router.patch("/documents/{id}", response_model=MemoryOut, responses={202: OTHERWISE[202]})
async def change(
    id: UUID, body: DocumentChange, ports: PortsDep, caller: Writer, response: Response
) -> MemoryOut:
    """Change title, metadata, tags, whether it is yours, your flags, forget_after or project;
    content creates a version."""
    flags: dict[Flag, bool] = {
        flag: value for flag in FLAG_COLUMNS if (value := getattr(body, flag)) is not None
    }
    unset = {"mine"} if body.mine is None else set()
    edit = DocumentEdit(
        fields=frozenset(body.model_fields_set - unset - set(FLAG_COLUMNS)),
        title=body.title,
        content=body.content,
        metadata=body.metadata,
        tags=body.tags,
        forget_after=body.forget_after,
        project=body.project_id or body.project,
        mine=bool(body.mine),
    )
    response.status_code = 200
    if flags and not edit.fields:
        saved = SavedDocument(await set_flags(ports, caller, id, flags))
        return answer(saved, response, changed=True)
    saved = await change_document(ports, caller, id, edit)
    if flags:
        await set_flags(ports, caller, saved.document.id, flags)
    return answer(saved, response, changed=True)


@router.delete("/documents/{id}", status_code=204)
async def delete(
    id: UUID,
    ports: PortsDep,
    caller: Writer,
    undo: Annotated[
        bool, Query(description="Move it to the trash: `/restore` brings it back for 30 days.")
    ] = False,
) -> None:
    """Erase a document, its versions, chunks and vectors. It can only be restored with `undo`."""
    if undo:
        await delete_document(ports, caller, id)
    else:
        await forget_document(ports, caller, id)


def _as_line(document: Document) -> DocumentLine:
    return DocumentLine.of(
        document,
        excerpt=excerpt_of(document.opening or document.content, document.content_type),
        metadata=with_tags(document),
        mine=is_mine(document),
        **{flag: flag in document.flags for flag in FLAG_COLUMNS},
        updates_memory_id=document.previous_id,
        has_original=document.blob_key is not None,
        has_copy=document.has_copy,
    )


def _chunk(chunk: Chunk) -> DocumentChunk:
    return DocumentChunk.of(chunk, memory_id=chunk.id)
