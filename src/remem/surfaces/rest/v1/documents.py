"""Documents and their containers."""

import base64
import binascii
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Annotated, Any, Literal
from uuid import UUID

from fastapi import APIRouter, File, Form, Response, UploadFile
from pydantic import BaseModel, Field, model_validator

from remem.core.content_kinds import KINDS
from remem.core.documents.forget import forget_document
from remem.core.documents.ingest import ingest
from remem.core.documents.model import Document, DocumentChoice, Draft, SavedDocument
from remem.core.documents.read import get_document, list_documents
from remem.core.errors import Invalid
from remem.core.flags import Flag
from remem.core.ports import Original
from remem.surfaces.rest.cursors import read_cursor, write_cursor
from remem.surfaces.rest.deps import PortsDep, Reader, Writer
from remem.surfaces.rest.fields import Described, Tags, WebAddress
from remem.surfaces.rest.guard import Guarded
from remem.surfaces.rest.listing import UnreadableItems, show, show_one
from remem.surfaces.rest.shapes import Body, Moment, Reply, read_address
from remem.surfaces.rest.uploads import read_metadata, read_tags, temporary_copy

router = APIRouter(prefix="/v1", tags=["containers and documents"], route_class=Guarded)

Status = Literal["queued", "extracting", "chunking", "embedding", "indexing", "done", "failed"]


class DocumentIn(Body):
    content: str | None = Field(default=None, description="Text to save.")
    url: WebAddress | None = Field(default=None, description="Or a URL to fetch.")
    file: str | None = Field(default=None, description="Or a file, in base64.")
    filename: str | None = Field(default=None, max_length=255)
    container: str | None = Field(default=None, description="A dotted name; created on first use.")
    content_type: Annotated[str, Described(enum=sorted({*KINDS, "url"}))] | None = None
    metadata: dict[str, Any] = Field(default_factory=dict)
    tags: Tags = Field(default_factory=list)
    index_only: bool = Field(default=False, description="Distil no memories from it.")
    unread: bool = Field(default=False, description="Mark it as unread, to read it later.")

    @model_validator(mode="after")
    def _one_source(self) -> "DocumentIn":
        sources = [name for name in ("content", "url", "file") if getattr(self, name)]
        if len(sources) != 1:
            raise Invalid("content", "send exactly one of content, url and file")
        return self


class Accepted(Reply):
    id: UUID
    status: str
    container: str
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


class ContainerDocument(Reply):
    id: UUID
    container: str
    title: str
    summary: str | None
    content_type: str
    source_url: str | None
    metadata: dict[str, Any]
    tags: list[str]
    status: str
    error_message: str | None
    duplicate_of: UUID | None
    chunk_count: int
    created_at: Moment
    updated_at: Moment


class ListIn(Body):
    container: str | None = None
    status: Status | None = None
    content_type: list[str] = Field(default_factory=list)
    tags: list[str] = Field(default_factory=list)
    created_after: Moment | None = Field(default=None, description="Saved at this time or later.")
    created_before: Moment | None = Field(default=None, description="Saved before this time.")
    flags: list[Flag] = Field(default_factory=list, description="All of these flags of yours.")
    archived: bool = Field(default=False, description="Include what you archived.")
    limit: int = Field(default=20, ge=1, le=100)
    cursor: str | None = None


class DocumentList(BaseModel):
    documents: list[ContainerDocument]
    total: int
    next_cursor: str | None
    unreadable: UnreadableItems


_OTHERWISE: dict[int | str, dict[str, Any]] = {
    200: {"model": Accepted, "description": "It was saved before."},
    202: {"model": Accepted, "description": "It is saved and being processed."},
}


@router.post("/documents", status_code=201, response_model=Accepted, responses=_OTHERWISE)
async def save(body: DocumentIn, ports: PortsDep, caller: Writer, response: Response) -> Accepted:
    """Save text, a web page, or a file. 201: it can be found now. 202: it is being processed."""
    async with _draft(body) as draft:
        return _accepted(await ingest(ports, caller, draft), response)


@router.post("/documents/upload", status_code=201, response_model=Accepted, responses=_OTHERWISE)
async def upload(
    file: Annotated[UploadFile, File()],
    ports: PortsDep,
    caller: Writer,
    response: Response,
    container: Annotated[str | None, Form()] = None,
    content_type: Annotated[str | None, Form()] = None,
    metadata: Annotated[str | None, Form(description="A JSON object.")] = None,
    tags: Annotated[list[str] | None, Form()] = None,
    index_only: Annotated[bool, Form(description="Distil no memories from it.")] = False,
) -> Accepted:
    """Save a file from a form."""
    async with temporary_copy(file, content_type) as original:
        draft = Draft(
            original=original,
            project=container,
            create_project=True,
            metadata=read_metadata(metadata),
            tags=read_tags(tags or []),
            index_only=index_only,
        )
        return _accepted(await ingest(ports, caller, draft), response)


@router.get("/documents/{id}", response_model=ContainerDocument)
async def read(id: UUID, ports: PortsDep, caller: Reader) -> ContainerDocument:
    """Get a document's status and fields."""
    return show_one((await get_document(ports, caller, id)).document, _out)


@router.delete("/documents/{id}", status_code=204)
async def delete(id: UUID, ports: PortsDep, caller: Writer) -> None:
    """Erase a document and everything derived from it."""
    await forget_document(ports, caller, id)


@router.post("/documents/list", response_model=DocumentList)
async def list_all(body: ListIn, ports: PortsDep, caller: Reader) -> DocumentList:
    """List documents, newest first, by container, status, type and tags."""
    choice = DocumentChoice(
        project=body.container,
        status=body.status,
        content_types=tuple(body.content_type),
        tags=tuple(body.tags),
        created_after=body.created_after,
        created_before=body.created_before,
        flags=tuple(body.flags),
        with_archived=body.archived,
    )
    page = await list_documents(ports, caller, choice, read_cursor(body.cursor), body.limit)
    documents, unreadable = show(page.documents, _out)
    return DocumentList(
        documents=documents,
        unreadable=unreadable,
        total=page.total,
        next_cursor=write_cursor(page.next),
    )


@asynccontextmanager
async def _draft(body: DocumentIn) -> AsyncIterator[Draft]:
    common: dict[str, Any] = {
        "project": body.container,
        "create_project": True,
        "content_type": None if body.content_type == "url" else body.content_type,
        "metadata": body.metadata,
        "tags": body.tags,
        "index_only": body.index_only,
        "unread": body.unread,
    }
    if body.url:
        yield Draft(fetch=True, source_url=str(body.url), **common)
    elif body.file:
        with tempfile.TemporaryDirectory(prefix="remem-") as folder:
            path = Path(folder) / "file"
            path.write_bytes(_decode_file(body.file))
            yield Draft(original=Original(path, name=body.filename), **common)
    elif body.content_type == "url":
        yield Draft(fetch=True, source_url=read_address(body.content or ""), **common)
    else:
        yield Draft(content=body.content or "", **common)


def _decode_file(text: str) -> bytes:
    try:
        data = base64.b64decode(text.partition(";base64,")[2] or text, validate=True)
    except (binascii.Error, ValueError) as error:
        raise Invalid("file", "is not base64; encode it, or use /v1/documents/upload") from error
    if not data:
        raise Invalid("file", "is empty; send a file with content")
    return data


def _accepted(saved: SavedDocument, response: Response) -> Accepted:
    if saved.existing:
        response.status_code = 200
    elif saved.job_id:
        response.status_code = 202
    document = saved.document
    return Accepted.of(
        document,
        container=document.project_ref,
        duplicate=saved.existing,
        job_id=saved.job_id,
        added_tags=list(saved.added_tags),
        not_taken=list(saved.not_taken),
        made_mine=saved.made_mine,
    )


def _out(document: Document) -> ContainerDocument:
    return ContainerDocument.of(
        document, container=document.project_ref, error_message=document.error
    )
