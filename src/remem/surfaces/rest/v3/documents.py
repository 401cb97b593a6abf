"""Read and delete documents."""

from typing import Annotated, Any
from uuid import UUID

from fastapi import APIRouter, Query
from pydantic import BaseModel

from remem.core.documents.forget import forget_document
from remem.core.documents.model import Chunk, Document, Version
from remem.core.documents.read import get_document, list_documents
from remem.surfaces.rest.deps import PortsDep, Reader, Writer
from remem.surfaces.rest.guard import Guarded
from remem.surfaces.rest.shapes import Moment, read_cursor, write_cursor
from remem.surfaces.rest.v3.memory import with_tags

router = APIRouter(prefix="/v3", tags=["documents"], route_class=Guarded)


class DocumentLine(BaseModel):
    id: UUID
    project_id: UUID
    title: str
    summary: str | None
    content_type: str
    source_url: str | None
    metadata: dict[str, Any]
    status: str
    error: str | None
    chunk_count: int
    version: int
    updates_memory_id: UUID | None
    forget_after: Moment | None
    last_accessed_at: Moment | None
    created_at: Moment
    updated_at: Moment


class DocumentChunk(BaseModel):
    memory_id: UUID
    content: str
    chunk_index: int
    start_offset: int
    end_offset: int
    page: int | None
    heading_path: list[str]


class VersionLine(BaseModel):
    id: UUID
    title: str
    summary: str | None
    version: int
    is_latest: bool
    created_at: Moment


class DocumentOut(DocumentLine):
    content: str
    chunks: list[DocumentChunk]
    versions: list[VersionLine] | None = None


class DocumentPage(BaseModel):
    documents: list[DocumentLine]
    total: int
    next_cursor: str | None


@router.get("/documents", response_model=DocumentPage)
async def page(
    ports: PortsDep,
    caller: Reader,
    project: Annotated[str | None, Query(description="An id, slug, path or name.")] = None,
    limit: Annotated[int, Query(ge=1, le=100)] = 20,
    cursor: str | None = None,
) -> DocumentPage:
    """What was saved, newest first."""
    found = await list_documents(ports, caller, project, read_cursor(cursor), limit)
    return DocumentPage(
        documents=[DocumentLine(**_line(document)) for document in found.documents],
        total=found.total,
        next_cursor=write_cursor(found.next),
    )


@router.get("/documents/{id}", response_model=DocumentOut)
async def read(
    id: UUID, ports: PortsDep, caller: Reader, include_versions: bool = False
) -> DocumentOut:
    """A document, whole, with its chunks and, if asked, its versions."""
    whole = await get_document(ports, caller, id)
    return DocumentOut(
        **_line(whole.document),
        content=whole.document.content,
        chunks=[_chunk(chunk) for chunk in whole.chunks],
        versions=[_version(one) for one in whole.versions] if include_versions else None,
    )


@router.delete("/documents/{id}", status_code=204)
async def delete(id: UUID, ports: PortsDep, caller: Writer) -> None:
    """Erase a document, its versions, chunks and vectors. There is no way back."""
    await forget_document(ports, caller, id)


def _line(document: Document) -> dict[str, Any]:
    return {
        "id": document.id,
        "project_id": document.project_id,
        "title": document.title,
        "summary": document.summary,
        "content_type": document.content_type,
        "source_url": document.source_url,
        "metadata": with_tags(document),
        "status": document.status,
        "error": document.error,
        "chunk_count": document.chunk_count,
        "version": document.version,
        "updates_memory_id": document.previous_id,
        "forget_after": document.forget_after,
        "last_accessed_at": document.last_accessed_at,
        "created_at": document.created_at,
        "updated_at": document.updated_at,
    }


def _chunk(chunk: Chunk) -> DocumentChunk:
    return DocumentChunk(
        memory_id=chunk.id,
        content=chunk.content,
        chunk_index=chunk.chunk_index,
        start_offset=chunk.start_offset,
        end_offset=chunk.end_offset,
        page=chunk.page,
        heading_path=chunk.heading_path,
    )


def _version(version: Version) -> VersionLine:
    return VersionLine(
        id=version.id,
        title=version.title,
        summary=version.summary,
        version=version.version,
        is_latest=version.is_latest,
        created_at=version.created_at,
    )
