"""SQL of documents and their chunks."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from remem.core.db import Row, Tx
from remem.core.documents.model import Chunk, Document, Version
from remem.core.scope import Scope

_COLUMNS = (
    "id, project_id, user_id, title, content, summary, content_type, source_url, metadata, tags,"
    " previous_id, root_id, version, is_latest, forget_after, status, error, last_accessed_at,"
    " created_at, updated_at"
)
_COUNT = (
    "(SELECT count(*) FROM chunks c WHERE c.tenant_id = d.tenant_id AND c.document_id = d.id)::int"
    " AS chunk_count"
)
_SELECT = f"SELECT {_COLUMNS}, {_COUNT} FROM documents d"
# What is past its time is gone for every reader, whether or not the clean-up has come by.
ALIVE = "(d.forget_after IS NULL OR d.forget_after > now())"


def _document(row: Row | None) -> Document | None:
    return Document(**dict(row)) if row else None


async def find(tx: Tx, scope: Scope, id: UUID) -> Document | None:
    return _document(
        await tx.fetchrow(
            f"{_SELECT} WHERE tenant_id = $1 AND id = $2 AND {ALIVE}", scope.tenant_id, id
        )
    )


async def find_same(tx: Tx, scope: Scope, project_id: UUID, hash: str) -> Document | None:
    return _document(
        await tx.fetchrow(
            f"{_SELECT} WHERE tenant_id = $1 AND project_id = $2 AND content_hash = $3"
            " AND is_latest",
            scope.tenant_id,
            project_id,
            hash,
        )
    )


async def lock_url(tx: Tx, scope: Scope, project_id: UUID, url: str) -> None:
    """Let one save of a URL at a time through, so that its versions form one chain."""
    await tx.execute(
        "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))",
        f"{scope.tenant_id}:{project_id}:{url}",
    )


async def latest_at_url(tx: Tx, scope: Scope, project_id: UUID, url: str) -> Document | None:
    return _document(
        await tx.fetchrow(
            f"{_SELECT} WHERE tenant_id = $1 AND project_id = $2 AND source_url = $3 AND is_latest"
            " ORDER BY created_at DESC LIMIT 1 FOR UPDATE",
            scope.tenant_id,
            project_id,
            url,
        )
    )


async def latest_of_chain(tx: Tx, scope: Scope, root_id: UUID) -> Document | None:
    return _document(
        await tx.fetchrow(
            f"{_SELECT} WHERE tenant_id = $1 AND root_id = $2 AND is_latest FOR UPDATE",
            scope.tenant_id,
            root_id,
        )
    )


async def insert(tx: Tx, scope: Scope, values: dict[str, Any]) -> bool:
    """False when the project holds the same content already."""
    row = {"tenant_id": scope.tenant_id, "user_id": scope.user_id, **values}
    marks = ", ".join(f"${n}" for n in range(1, len(row) + 1))
    made = await tx.fetchval(
        f"INSERT INTO documents ({', '.join(row)}) VALUES ({marks})"
        " ON CONFLICT (tenant_id, project_id, content_hash) WHERE is_latest DO NOTHING"
        " RETURNING true",
        *row.values(),
    )
    return bool(made)


async def retire(tx: Tx, scope: Scope, id: UUID) -> None:
    await tx.execute(
        "UPDATE documents SET is_latest = false, updated_at = now()"
        " WHERE tenant_id = $1 AND id = $2",
        scope.tenant_id,
        id,
    )


async def set_status(tx: Tx, scope: Scope, id: UUID, status: str, error: str | None = None) -> None:
    await tx.execute(
        "UPDATE documents SET status = $3, error = $4, updated_at = now()"
        " WHERE tenant_id = $1 AND id = $2",
        scope.tenant_id,
        id,
        status,
        error,
    )


async def lock(tx: Tx, scope: Scope, id: UUID) -> bool:
    """Hold a document against another worker; False when it is gone."""
    return bool(
        await tx.fetchval(
            "SELECT true FROM documents WHERE tenant_id = $1 AND id = $2 FOR UPDATE",
            scope.tenant_id,
            id,
        )
    )


async def delete(tx: Tx, scope: Scope, id: UUID) -> bool:
    gone = await tx.fetchval(
        "DELETE FROM documents WHERE tenant_id = $1 AND id = $2 RETURNING true",
        scope.tenant_id,
        id,
    )
    return bool(gone)


async def touch(tx: Tx, scope: Scope, ids: Sequence[UUID]) -> None:
    await tx.execute("SET LOCAL synchronous_commit = off")
    await tx.execute(
        "UPDATE documents SET last_accessed_at = now() WHERE tenant_id = $1 AND id = ANY($2)",
        scope.tenant_id,
        list(ids),
    )


async def versions(tx: Tx, scope: Scope, root_id: UUID) -> list[Version]:
    rows = await tx.fetch(
        "SELECT id, title, summary, version, is_latest, created_at FROM documents"
        " WHERE tenant_id = $1 AND root_id = $2 ORDER BY version DESC",
        scope.tenant_id,
        root_id,
    )
    return [Version(**dict(row)) for row in rows]


async def page(
    tx: Tx,
    scope: Scope,
    project_ids: Sequence[UUID] | None,
    before: tuple[datetime, UUID] | None,
    limit: int,
) -> list[Document]:
    """Latest documents, newest first, below a place in that order."""
    rows = await tx.fetch(
        f"{_SELECT} WHERE tenant_id = $1 AND is_latest AND {ALIVE}"
        " AND ($2::uuid[] IS NULL OR project_id = ANY($2))"
        " AND ($3::timestamptz IS NULL OR (created_at, id) < ($3, $4))"
        " ORDER BY created_at DESC, id DESC LIMIT $5",
        scope.tenant_id,
        list(project_ids) if project_ids is not None else None,
        before[0] if before else None,
        before[1] if before else None,
        limit,
    )
    return [Document(**dict(row)) for row in rows]


async def count(tx: Tx, scope: Scope, project_ids: Sequence[UUID] | None) -> int:
    return await tx.fetchval(
        f"SELECT count(*)::int FROM documents d WHERE tenant_id = $1 AND is_latest AND {ALIVE}"
        " AND ($2::uuid[] IS NULL OR project_id = ANY($2))",
        scope.tenant_id,
        list(project_ids) if project_ids is not None else None,
    )


# Chunks

_CHUNK = "id, document_id, content, chunk_index, start_offset, end_offset, page, heading_path"


async def insert_chunks(tx: Tx, scope: Scope, project_id: UUID, chunks: Sequence[Chunk]) -> None:
    await tx.executemany(
        "INSERT INTO chunks (tenant_id, id, document_id, project_id, content, chunk_index,"
        " start_offset, end_offset, page, heading_path)"
        " VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
        [
            (
                scope.tenant_id,
                chunk.id,
                chunk.document_id,
                project_id,
                chunk.content,
                chunk.chunk_index,
                chunk.start_offset,
                chunk.end_offset,
                chunk.page,
                chunk.heading_path,
            )
            for chunk in chunks
        ],
    )


async def chunks(tx: Tx, scope: Scope, document_id: UUID) -> list[Chunk]:
    rows = await tx.fetch(
        f"SELECT {_CHUNK} FROM chunks WHERE tenant_id = $1 AND document_id = $2"
        " ORDER BY chunk_index",
        scope.tenant_id,
        document_id,
    )
    return [Chunk(**dict(row)) for row in rows]


async def chunks_without_vector(
    tx: Tx, scope: Scope, document_id: UUID, model: str, limit: int
) -> list[Chunk]:
    rows = await tx.fetch(
        f"SELECT {_CHUNK} FROM chunks WHERE tenant_id = $1 AND document_id = $2"
        " AND embedded_with IS DISTINCT FROM $3 ORDER BY chunk_index LIMIT $4",
        scope.tenant_id,
        document_id,
        model,
        limit,
    )
    return [Chunk(**dict(row)) for row in rows]


async def mark_embedded(
    tx: Tx, scope: Scope, model: str, hashes: Sequence[tuple[UUID, str]]
) -> None:
    ids, digests = zip(*hashes, strict=True)
    await tx.execute(
        "UPDATE chunks c SET embedded_with = $2, embedded_hash = e.hash, updated_at = now()"
        " FROM unnest($3::uuid[], $4::text[]) AS e(id, hash)"
        " WHERE c.tenant_id = $1 AND c.id = e.id",
        scope.tenant_id,
        model,
        ids,
        digests,
    )
