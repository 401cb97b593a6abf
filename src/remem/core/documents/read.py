"""Read documents: one, its chunks, its versions, or a page of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from remem.core.documents import store
from remem.core.documents.model import Chunk, Document, Version
from remem.core.errors import NotFound
from remem.core.ports import Ports
from remem.core.projects.resolve import resolve_all
from remem.core.scope import Scope


@dataclass(frozen=True, slots=True)
class Whole:
    document: Document
    chunks: list[Chunk]
    versions: list[Version]


@dataclass(frozen=True, slots=True)
class Page:
    documents: list[Document]
    total: int
    next: tuple[datetime, UUID] | None


@dataclass(frozen=True, slots=True)
class Choice:
    """Which documents to list."""

    project: str | UUID | None = None
    status: str | None = None
    content_types: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    created_after: datetime | None = None
    created_before: datetime | None = None


async def get_document(ports: Ports, scope: Scope, id: UUID) -> Whole:
    async with ports.db.transaction(scope) as tx:
        document = await store.find(tx, scope, id)
        if document is None:
            raise NotFound("document", id)
        return Whole(
            document,
            await store.chunks(tx, scope, id),
            await store.versions(tx, scope, document.root_id),
        )


async def list_documents(
    ports: Ports,
    scope: Scope,
    choice: Choice,
    before: tuple[datetime, UUID] | None,
    limit: int,
) -> Page:
    async with ports.db.transaction(scope) as tx:
        chosen = (
            await resolve_all(tx, scope, choice.project),
            choice.status,
            list(choice.content_types),
            list(choice.tags),
            choice.created_after,
            choice.created_before,
        )
        found = await store.page(tx, scope, chosen, before, limit + 1)
        total = await store.count(tx, scope, chosen)
    last = found[limit - 1] if len(found) > limit else None
    return Page(found[:limit], total, (last.created_at, last.id) if last else None)


def touch(ports: Ports, scope: Scope, ids: Sequence[UUID]) -> None:
    """Note that these were returned to somebody."""
    ports.reads.note(store.touch, scope, ids)
