"""Read documents: one with its chunks and versions, or a page of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from remem.core.documents import document_store
from remem.core.documents.chunks import chunk_store
from remem.core.documents.model import (
    Chunk,
    Document,
    DocumentChoice,
    DocumentPosition,
    Sort,
    Version,
)
from remem.core.documents.pages import document_page_store
from remem.core.ports import Ports
from remem.core.projects.resolve import resolve_all
from remem.core.scope import Scope
from remem.core.transaction import Tx


@dataclass(frozen=True, slots=True)
class FullDocument:
    document: Document
    chunks: list[Chunk]
    versions: list[Version]


@dataclass(frozen=True, slots=True)
class DocumentPage:
    documents: list[Document]
    total: int
    next: DocumentPosition | None


async def get_document(ports: Ports, scope: Scope, id: UUID) -> FullDocument:
    async with ports.db.transaction(scope) as tx:
        document = await document_store.require(tx, id)
        return FullDocument(
            document,
            await chunk_store.of_document(tx, id),
            await document_store.versions(tx, document.root_id),
        )


async def list_documents(
    ports: Ports, scope: Scope, choice: DocumentChoice, after: DocumentPosition | None, limit: int
) -> DocumentPage:
    """A page of documents, without their text."""
    async with ports.db.transaction(scope) as tx:
        projects = await resolve_all(tx, choice.project)
        documents = await document_page_store.page(tx, choice, projects, after, limit + 1)
        total = await document_page_store.count(tx, choice, projects)
    last = documents[limit - 1] if len(documents) > limit else None
    return DocumentPage(documents[:limit], total, _position_of(last, choice.sort) if last else None)


def _position_of(document: Document, sort: Sort) -> DocumentPosition:
    match sort:
        case "title":
            return document.title.lower(), document.id
        case "size":
            return document.size_bytes or 0, document.id
        case "updated":
            return document.updated_at, document.id
        case "created":
            return document.created_at, document.id


async def titles_of(tx: Tx, ids: Sequence[UUID]) -> dict[UUID, str]:
    """The titles of existing documents; runs inside the caller's transaction."""
    return await document_page_store.titles(tx, ids) if ids else {}


async def types_of(tx: Tx, ids: Sequence[UUID]) -> dict[UUID, str]:
    """The content types of existing documents; runs inside the caller's transaction."""
    return await document_page_store.types(tx, ids) if ids else {}


def touch(ports: Ports, scope: Scope, ids: Sequence[UUID]) -> None:
    """Record that these documents were returned."""
    ports.access_log.note(document_store.touch, scope, ids)
