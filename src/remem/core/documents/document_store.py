"""SQL of documents."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from remem.core.current import (
    current_documents,
    expired_documents,
    latest_documents,
    unexpired_documents,
)
from remem.core.documents.model import Document, Version
from remem.core.errors import NotFound
from remem.core.flags import COLUMNS as FLAG_COLUMNS
from remem.core.flags import Flag, flags_sql
from remem.core.transaction import Row, Tx
from remem.core.unreadable import row_values

COLUMNS = (
    "id, project_id, user_id, title, content, summary, content_type, source_url, blob_key,"
    " metadata, tags, content_hash, previous_id, root_id, version, is_latest, duplicate_of,"
    " forget_after, status, error, last_accessed_at, created_at, updated_at, title_given"
)
COUNT = (
    "(SELECT count(*) FROM chunks c WHERE c.tenant_id = $1 AND c.document_id = d.id)::int"
    " AS chunk_count"
)
SLUG = (
    "(SELECT project_ref(slug, name, settings) FROM projects p"
    " WHERE p.tenant_id = $1 AND p.id = d.project_id)"
    " AS project_ref"
)
FLAGS = f"{flags_sql()} AS flags"
_SELECT = f"SELECT {COLUMNS}, {COUNT}, {SLUG}, {FLAGS} FROM documents d"
_SELECT_WITHOUT_TEXT = _SELECT.replace(" content,", " '' AS content,", 1)
# An expired document is gone for every reader, even before it is erased.
CURRENT = current_documents("d")


def _document(row: Row | None) -> Document | None:
    return Document(**row_values(row)) if row else None


async def find(tx: Tx, id: UUID) -> Document | None:
    return _document(
        await tx.fetchrow(
            f"{_SELECT} WHERE tenant_id = $1 AND id = $2 AND {unexpired_documents('d')}", id
        )
    )


async def find_without_text(tx: Tx, id: UUID) -> Document | None:
    """The same with an empty text, which may have megabytes."""
    return _document(
        await tx.fetchrow(
            f"{_SELECT_WITHOUT_TEXT} WHERE tenant_id = $1 AND id = $2"
            f" AND {unexpired_documents('d')}",
            id,
        )
    )


async def require(tx: Tx, id: UUID) -> Document:
    document = await find(tx, id)
    if document is None:
        raise NotFound("document", id)
    return document


async def source_of(tx: Tx, id: UUID) -> str:
    """What a document was saved by."""
    query = "SELECT source FROM documents WHERE tenant_id = $1 AND id = $2"
    return str(await tx.fetchval(query, id))


async def find_many(tx: Tx, ids: Sequence[UUID]) -> list[Document]:
    """The documents with these ids that are current, in no order."""
    rows = await tx.fetch(
        f"{_SELECT} WHERE tenant_id = $1 AND id = ANY($2) AND {CURRENT}", list(ids)
    )
    return [Document(**row_values(row)) for row in rows]


async def find_same(
    tx: Tx, project_id: UUID, hash: str, root_id: UUID | None = None
) -> Document | None:
    """The document with a text; of several, the one of the chain `root_id`."""
    return await _find_by_hash(tx, project_id, "content_hash", hash, root_id)


async def find_same_original(
    tx: Tx, project_id: UUID, original_hash: str, root_id: UUID | None = None
) -> Document | None:
    return await _find_by_hash(tx, project_id, "original_hash", original_hash, root_id)


async def _find_by_hash(
    tx: Tx, project_id: UUID, column: str, hash: str, root_id: UUID | None
) -> Document | None:
    where = f"tenant_id = $1 AND project_id = $2 AND {column} = $3 AND {CURRENT}"
    order = "root_id IS NOT DISTINCT FROM $4 DESC, id"
    row = await tx.fetchrow(
        f"{_SELECT} WHERE {where} ORDER BY {order} LIMIT 1", project_id, hash, root_id
    )
    return _document(row)


async def find_expired(
    tx: Tx, project_id: UUID, hash: str, original_hash: str | None
) -> list[Document]:
    """Expired documents with the same content, which would block saving it again."""
    rows = await tx.fetch(
        f"{_SELECT} WHERE tenant_id = $1 AND project_id = $2 AND {latest_documents('d')}"
        f" AND {expired_documents('d')} AND (content_hash = $3 OR original_hash = $4)"
        " FOR NO KEY UPDATE",
        project_id,
        hash,
        original_hash,
    )
    return [Document(**row_values(row)) for row in rows]


async def latest_of_chain(tx: Tx, root_id: UUID) -> Document | None:
    return _document(
        await tx.fetchrow(
            f"{_SELECT} WHERE tenant_id = $1 AND root_id = $2 AND {latest_documents('d')}"
            " FOR NO KEY UPDATE",
            root_id,
        )
    )


async def require_locked(tx: Tx, id: UUID) -> Document:
    """Lock every version of a document and return it as it is then: before the lock, it may have
    been deleted or moved."""
    document = await require(tx, id)
    await tx.execute(
        "SELECT FROM documents WHERE tenant_id = $1 AND root_id = $2 ORDER BY id FOR NO KEY UPDATE",
        document.root_id,
    )
    return await require(tx, id)


async def insert(tx: Tx, values: dict[str, Any]) -> bool:
    """False when the project has the same content already."""
    row = {"tenant_id": tx.scope.tenant_id, "user_id": tx.scope.user_id, **values}
    placeholders = ", ".join(f"${n}" for n in range(1, len(row) + 1))
    inserted = await tx.system.fetchval(
        f"INSERT INTO documents ({', '.join(row)}) VALUES ({placeholders})"
        " ON CONFLICT DO NOTHING RETURNING true",
        *row.values(),
    )
    return bool(inserted)


async def update_columns(tx: Tx, id: UUID, values: dict[str, Any]) -> None:
    assignments = ", ".join(f"{name} = ${number}" for number, name in enumerate(values, start=3))
    await tx.execute(
        f"UPDATE documents SET {assignments}, updated_at = now() WHERE tenant_id = $1 AND id = $2",
        id,
        *values.values(),
    )


async def set_duplicate(
    tx: Tx, id: UUID, of: UUID, content_type: str, blob_key: str | None
) -> None:
    """Turn a document into a copy: it keeps its id and refers to the document with its text."""
    await tx.execute(
        "UPDATE documents SET duplicate_of = $3, is_latest = false, status = 'done',"
        " content_type = $4, blob_key = $5, updated_at = now() WHERE tenant_id = $1 AND id = $2",
        id,
        of,
        content_type,
        blob_key,
    )


async def find_copy_with_original(tx: Tx, project_id: UUID, original_hash: str) -> Document | None:
    """The copy of a current document that keeps an original of its own, with this hash."""
    row = await tx.fetchrow(
        f"{_SELECT} WHERE tenant_id = $1 AND project_id = $2 AND original_hash = $3"
        f" AND duplicate_of IS NOT NULL AND blob_key IS NOT NULL AND {unexpired_documents('d')}"
        " AND duplicate_of IN (SELECT e.id FROM documents e WHERE e.tenant_id = $1"
        f" AND {current_documents('e')}) ORDER BY id LIMIT 1",
        project_id,
        original_hash,
    )
    return _document(row)


async def distillable(tx: Tx, ids: Sequence[UUID]) -> list[UUID]:
    """The documents that are done and current."""
    rows = await tx.fetch(
        "SELECT id FROM documents d WHERE tenant_id = $1 AND id = ANY($2) AND status = 'done'"
        f" AND {CURRENT} ORDER BY id",
        list(ids),
    )
    return [row["id"] for row in rows]


async def original_hash(tx: Tx, id: UUID) -> str | None:
    return await tx.fetchval(
        "SELECT original_hash FROM documents WHERE tenant_id = $1 AND id = $2", id
    )


async def without_original_row(tx: Tx) -> list[UUID]:
    """The documents that refer to an original of which there is no row."""
    rows = await tx.fetch(
        "SELECT id FROM documents d WHERE tenant_id = $1 AND blob_key IS NOT NULL AND NOT EXISTS"
        " (SELECT FROM blobs b WHERE b.tenant_id = $1 AND b.key = d.blob_key) ORDER BY id"
    )
    return [row["id"] for row in rows]


async def set_blob(tx: Tx, id: UUID, key: str | None) -> None:
    await tx.execute(
        "UPDATE documents SET blob_key = $3, updated_at = now() WHERE tenant_id = $1 AND id = $2",
        id,
        key,
    )


async def marks(tx: Tx, id: UUID) -> list[list[Any]]:
    stored_marks = await tx.fetchval(
        "SELECT marks FROM documents WHERE tenant_id = $1 AND id = $2", id
    )
    return stored_marks or []


async def retire(tx: Tx, id: UUID) -> None:
    """Mark a version as replaced: it is read, if it was not yet, but not made searchable."""
    await tx.execute(
        "UPDATE documents SET is_latest = false, updated_at = now(),"
        " status = CASE WHEN status = 'failed' OR content = '' THEN status ELSE 'done' END"
        " WHERE tenant_id = $1 AND id = $2",
        id,
    )


async def set_flag(tx: Tx, root_id: UUID, flag: Flag, *, is_set: bool) -> None:
    """Set or remove a flag of the caller. That is no change of the document, so `updated_at`
    stays."""
    column = FLAG_COLUMNS[flag]
    others = f"array_remove(coalesce({column}, '{{}}'), $3)"
    value = f"array_append({others}, $3)" if is_set else f"nullif({others}, '{{}}')"
    await tx.execute(
        f"UPDATE documents SET {column} = {value} WHERE tenant_id = $1 AND root_id = $2"
        f" AND {latest_documents()}",
        root_id,
        tx.scope.user_id,
    )


async def inherit_flags(tx: Tx, id: UUID, previous_id: UUID) -> None:
    """Give a version the flags of the previous one, in addition to its own."""
    users = "ARRAY(SELECT unnest(p.{0}) UNION SELECT unnest(d.{0}))"
    added = (
        f"{column} = nullif({users.format(column)}, '{{}}')" for column in FLAG_COLUMNS.values()
    )
    await tx.execute(
        f"UPDATE documents d SET {', '.join(added)} FROM documents p"
        " WHERE d.tenant_id = $1 AND d.id = $2 AND p.tenant_id = $1 AND p.id = $3",
        id,
        previous_id,
    )


async def set_status(tx: Tx, id: UUID, status: str, error: str | None = None) -> None:
    """Set the processing status. That is no change of the document, so `updated_at` stays."""
    await tx.execute(
        "UPDATE documents SET status = $3, error = $4 WHERE tenant_id = $1 AND id = $2",
        id,
        status,
        error,
    )


async def lock(tx: Tx, id: UUID) -> bool:
    """Lock a document against another worker; False when it is deleted. Rows that refer to it can
    still be written: their writer has locked the project, which this one locks next."""
    return bool(
        await tx.fetchval(
            "SELECT true FROM documents WHERE tenant_id = $1 AND id = $2 FOR NO KEY UPDATE", id
        )
    )


async def delete(tx: Tx, id: UUID) -> str | None:
    """Delete a document and return the key of its original, if it had one."""
    return await tx.fetchval(
        "DELETE FROM documents WHERE tenant_id = $1 AND id = $2 RETURNING blob_key", id
    )


async def touch(tx: Tx, ids: Sequence[UUID]) -> None:
    await tx.execute(
        # Two requests that touch the same rows in another order must not wait for each other; it
        # is enough that one of them writes.
        "UPDATE documents SET last_accessed_at = now() WHERE tenant_id = $1 AND id IN"
        " (SELECT id FROM documents WHERE tenant_id = $1 AND id = ANY($2) FOR UPDATE SKIP LOCKED)",
        list(ids),
    )


async def move_chain(tx: Tx, root_id: UUID, project_id: UUID) -> None:
    await tx.execute(
        "WITH chain AS (UPDATE documents SET project_id = $3, updated_at = now()"
        " WHERE tenant_id = $1 AND root_id = $2 RETURNING id)"
        " UPDATE chunks SET project_id = $3 WHERE tenant_id = $1"
        " AND document_id IN (SELECT id FROM chain)",
        root_id,
        project_id,
    )


async def forget_vectors(tx: Tx, document_id: UUID) -> None:
    """Queue its chunks for re-embedding; the old vectors are used until then."""
    await tx.execute(
        "UPDATE chunks SET embedded_with = NULL WHERE tenant_id = $1 AND document_id = $2",
        document_id,
    )
    await set_status(tx, document_id, "embedding")


async def versions(tx: Tx, root_id: UUID) -> list[Version]:
    rows = await tx.fetch(
        "SELECT id, title, summary, version, is_latest, created_at FROM documents"
        " WHERE tenant_id = $1 AND root_id = $2 ORDER BY version DESC",
        root_id,
    )
    return [Version(**row_values(row)) for row in rows]


async def waiting_for_index(tx: Tx, limit: int) -> list[UUID]:
    """The ids of documents whose tags and author are not indexed yet."""
    rows = await tx.fetch(
        "SELECT document_id FROM documents_to_index WHERE tenant_id = $1"
        " ORDER BY document_id LIMIT $2",
        limit,
    )
    return [row["document_id"] for row in rows]


async def note_indexed(tx: Tx, id: UUID) -> None:
    await tx.execute("DELETE FROM documents_to_index WHERE tenant_id = $1 AND document_id = $2", id)
