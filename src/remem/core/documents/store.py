"""SQL of documents."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from remem.core.current import (
    current_documents,
    expired_documents,
    latest_documents,
    remembered_documents,
)
from remem.core.db import Row, Tx
from remem.core.documents.model import Document, Version
from remem.core.errors import NotFound
from remem.core.scope import Scope
from remem.core.unreadable import values_of

COLUMNS = (
    "id, project_id, user_id, title, content, summary, content_type, source_url, blob_key,"
    " metadata, tags, content_hash, previous_id, root_id, version, is_latest, duplicate_of,"
    " forget_after, status, error, last_accessed_at, created_at, updated_at"
)
COUNT = (
    "(SELECT count(*) FROM chunks c WHERE c.tenant_id = d.tenant_id AND c.document_id = d.id)::int"
    " AS chunk_count"
)
SLUG = (
    "(SELECT slug FROM projects p WHERE p.tenant_id = d.tenant_id AND p.id = d.project_id)"
    " AS project_slug"
)
_SELECT = f"SELECT {COLUMNS}, {COUNT}, {SLUG} FROM documents d"
# What is past its time is gone for every reader, whether or not the clean-up has come by.
CURRENT = current_documents("d")


def _document(row: Row | None) -> Document | None:
    return Document(**values_of(row)) if row else None


async def find(tx: Tx, scope: Scope, id: UUID) -> Document | None:
    return _document(
        await tx.fetchrow(
            f"{_SELECT} WHERE tenant_id = $1 AND id = $2 AND {remembered_documents('d')}",
            scope.tenant_id,
            id,
        )
    )


async def require(tx: Tx, scope: Scope, id: UUID) -> Document:
    document = await find(tx, scope, id)
    if document is None:
        raise NotFound("document", id)
    return document


async def find_many(tx: Tx, scope: Scope, ids: Sequence[UUID]) -> list[Document]:
    """The latest of them, in no order."""
    rows = await tx.fetch(
        f"{_SELECT} WHERE tenant_id = $1 AND id = ANY($2) AND {CURRENT}",
        scope.tenant_id,
        list(ids),
    )
    return [Document(**values_of(row)) for row in rows]


async def find_same(tx: Tx, scope: Scope, project_id: UUID, hash: str) -> Document | None:
    return await _same(tx, scope, project_id, "content_hash", hash)


async def find_same_original(
    tx: Tx, scope: Scope, project_id: UUID, original_hash: str
) -> Document | None:
    return await _same(tx, scope, project_id, "original_hash", original_hash)


async def _same(tx: Tx, scope: Scope, project_id: UUID, column: str, hash: str) -> Document | None:
    where = f"tenant_id = $1 AND project_id = $2 AND {column} = $3 AND {CURRENT}"
    row = await tx.fetchrow(f"{_SELECT} WHERE {where}", scope.tenant_id, project_id, hash)
    return _document(row)


async def find_expired(
    tx: Tx, scope: Scope, project_id: UUID, hash: str, original_hash: str | None
) -> list[Document]:
    """The same content that has expired but still blocks saving it again."""
    rows = await tx.fetch(
        f"{_SELECT} WHERE tenant_id = $1 AND project_id = $2 AND {latest_documents('d')}"
        f" AND {expired_documents('d')} AND (content_hash = $3 OR original_hash = $4)"
        " FOR NO KEY UPDATE",
        scope.tenant_id,
        project_id,
        hash,
        original_hash,
    )
    return [Document(**values_of(row)) for row in rows]


async def latest_of_chain(tx: Tx, scope: Scope, root_id: UUID) -> Document | None:
    return _document(
        await tx.fetchrow(
            f"{_SELECT} WHERE tenant_id = $1 AND root_id = $2 AND {latest_documents('d')}"
            " FOR NO KEY UPDATE",
            scope.tenant_id,
            root_id,
        )
    )


async def require_locked(tx: Tx, scope: Scope, id: UUID) -> Document:
    """A document as it stands once every version of it is locked: read before that, it may have
    been deleted or moved meanwhile."""
    before = await require(tx, scope, id)
    await tx.execute(
        "SELECT FROM documents WHERE tenant_id = $1 AND root_id = $2 ORDER BY id FOR NO KEY UPDATE",
        scope.tenant_id,
        before.root_id,
    )
    return await require(tx, scope, id)


async def insert(tx: Tx, scope: Scope, values: dict[str, Any]) -> bool:
    """False when the project has the same content already."""
    row = {"tenant_id": scope.tenant_id, "user_id": scope.user_id, **values}
    marks = ", ".join(f"${n}" for n in range(1, len(row) + 1))
    made = await tx.fetchval(
        f"INSERT INTO documents ({', '.join(row)}) VALUES ({marks})"
        " ON CONFLICT DO NOTHING RETURNING true",
        *row.values(),
    )
    return bool(made)


async def set_reading(tx: Tx, scope: Scope, id: UUID, values: dict[str, Any]) -> None:
    marks = ", ".join(f"{name} = ${place}" for place, name in enumerate(values, start=3))
    await tx.execute(
        f"UPDATE documents SET {marks}, updated_at = now() WHERE tenant_id = $1 AND id = $2",
        scope.tenant_id,
        id,
        *values.values(),
    )


async def set_duplicate(tx: Tx, scope: Scope, id: UUID, of: UUID) -> None:
    """What turned out to be a copy keeps its id and points at the one that is kept."""
    await tx.execute(
        "UPDATE documents SET duplicate_of = $3, is_latest = false, status = 'done',"
        " blob_key = NULL, updated_at = now() WHERE tenant_id = $1 AND id = $2",
        scope.tenant_id,
        id,
        of,
    )


async def distillable(tx: Tx, scope: Scope, ids: Sequence[UUID]) -> list[UUID]:
    """Those that are done, and not replaced by a version."""
    rows = await tx.fetch(
        "SELECT id FROM documents d WHERE tenant_id = $1 AND id = ANY($2) AND status = 'done'"
        f" AND {CURRENT} ORDER BY id",
        scope.tenant_id,
        list(ids),
    )
    return [row["id"] for row in rows]


async def set_blob(tx: Tx, scope: Scope, id: UUID, key: str | None) -> None:
    await tx.execute(
        "UPDATE documents SET blob_key = $3, updated_at = now() WHERE tenant_id = $1 AND id = $2",
        scope.tenant_id,
        id,
        key,
    )


async def marks(tx: Tx, scope: Scope, id: UUID) -> list[list[Any]]:
    found = await tx.fetchval(
        "SELECT marks FROM documents WHERE tenant_id = $1 AND id = $2", scope.tenant_id, id
    )
    return found or []


async def retire(tx: Tx, scope: Scope, id: UUID) -> None:
    """Nothing more is done to a replaced version, however far it had come."""
    await tx.execute(
        "UPDATE documents SET is_latest = false, updated_at = now(),"
        " status = CASE status WHEN 'failed' THEN 'failed' ELSE 'done' END"
        " WHERE tenant_id = $1 AND id = $2",
        scope.tenant_id,
        id,
    )


async def set_status(tx: Tx, scope: Scope, id: UUID, status: str, error: str | None = None) -> None:
    """How far the work on it has come is no change of the document itself."""
    await tx.execute(
        "UPDATE documents SET status = $3, error = $4 WHERE tenant_id = $1 AND id = $2",
        scope.tenant_id,
        id,
        status,
        error,
    )


async def lock(tx: Tx, scope: Scope, id: UUID) -> bool:
    """Lock a document against another worker; False when it is gone. What names it may still be
    written: who does so has its project locked, for which this one waits next."""
    return bool(
        await tx.fetchval(
            "SELECT true FROM documents WHERE tenant_id = $1 AND id = $2 FOR NO KEY UPDATE",
            scope.tenant_id,
            id,
        )
    )


async def delete(tx: Tx, scope: Scope, id: UUID) -> str | None:
    """Remove a document and say where its original is, if it had one."""
    return await tx.fetchval(
        "DELETE FROM documents WHERE tenant_id = $1 AND id = $2 RETURNING blob_key",
        scope.tenant_id,
        id,
    )


async def touch(tx: Tx, scope: Scope, ids: Sequence[UUID]) -> None:
    await tx.execute("SET LOCAL synchronous_commit = off")
    await tx.execute(
        # Two who found the same in another order do not wait for each other; one of them is enough.
        "UPDATE documents SET last_accessed_at = now() WHERE tenant_id = $1 AND id IN"
        " (SELECT id FROM documents WHERE tenant_id = $1 AND id = ANY($2) FOR UPDATE SKIP LOCKED)",
        scope.tenant_id,
        list(ids),
    )


async def move_chain(tx: Tx, scope: Scope, root_id: UUID, project_id: UUID) -> None:
    await tx.execute(
        "WITH chain AS (UPDATE documents SET project_id = $3, updated_at = now()"
        " WHERE tenant_id = $1 AND root_id = $2 RETURNING id)"
        " UPDATE chunks SET project_id = $3 WHERE tenant_id = $1"
        " AND document_id IN (SELECT id FROM chain)",
        scope.tenant_id,
        root_id,
        project_id,
    )


async def forget_vectors(tx: Tx, scope: Scope, document_id: UUID) -> None:
    """Queue its chunks for re-embedding; the old vectors are used until then."""
    await tx.execute(
        "UPDATE chunks SET embedded_with = NULL WHERE tenant_id = $1 AND document_id = $2",
        scope.tenant_id,
        document_id,
    )
    await set_status(tx, scope, document_id, "embedding")


async def versions(tx: Tx, scope: Scope, root_id: UUID) -> list[Version]:
    rows = await tx.fetch(
        "SELECT id, title, summary, version, is_latest, created_at FROM documents"
        " WHERE tenant_id = $1 AND root_id = $2 ORDER BY version DESC",
        scope.tenant_id,
        root_id,
    )
    return [Version(**values_of(row)) for row in rows]
