"""SQL of the items of connections."""

from collections.abc import Sequence
from uuid import UUID

from remem.core.connections.model import ConnectionItem
from remem.core.transaction import Row, Tx
from remem.core.unreadable import row_values

_COLUMNS = "reference, revision, document_id, pending_id, path, problem, hidden_at"
_OF = "tenant_id = $1 AND connection_id = $2"


async def lock_items(tx: Tx) -> None:
    """Serialise changes of which items have a document: counting them decides what is erased."""
    await tx.system.execute(
        "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))",
        f"{tx.scope.tenant_id}:connection_items",
    )


async def find(tx: Tx, connection_id: UUID, reference: str) -> ConnectionItem | None:
    row = await tx.fetchrow(
        f"SELECT {_COLUMNS} FROM connection_items WHERE {_OF} AND reference = $3 FOR UPDATE",
        connection_id,
        reference,
    )
    return ConnectionItem(**row_values(row)) if row else None


async def revisions(
    tx: Tx, connection_id: UUID, references: Sequence[str]
) -> dict[str, str | None]:
    """The revisions of known items."""
    rows = await tx.fetch(
        f"SELECT reference, revision FROM connection_items WHERE {_OF} AND reference = ANY($3)",
        connection_id,
        list(references),
    )
    return {row["reference"]: row["revision"] for row in rows}


async def set_seen(tx: Tx, connection_id: UUID, references: Sequence[str], walk: int) -> None:
    await tx.execute(
        f"UPDATE connection_items SET walk = $4 WHERE {_OF} AND reference = ANY($3) AND walk < $4",
        connection_id,
        list(references),
        walk,
    )


async def set_pending(
    tx: Tx, connection_id: UUID, reference: str, path: str | None, pending_id: UUID
) -> None:
    """Store the id of the document that is about to be saved for an item."""
    await tx.execute(
        "INSERT INTO connection_items (tenant_id, connection_id, reference, path, pending_id)"
        " VALUES ($1, $2, $3, $4, $5) ON CONFLICT (tenant_id, connection_id, reference)"
        " DO UPDATE SET path = excluded.path, pending_id = excluded.pending_id,"
        " updated_at = excluded.updated_at",
        connection_id,
        reference,
        path,
        pending_id,
    )


async def set_document_id(tx: Tx, connection_id: UUID, reference: str, document_id: UUID) -> None:
    """Link the document that an interrupted attempt did save."""
    await tx.execute(
        f"UPDATE connection_items SET document_id = $4 WHERE {_OF} AND reference = $3",
        connection_id,
        reference,
        document_id,
    )


async def set_document(
    tx: Tx, connection_id: UUID, reference: str, document_id: UUID, revision: str, walk: int
) -> None:
    await tx.execute(
        "UPDATE connection_items SET document_id = $4, pending_id = NULL, revision = $5,"
        f" walk = $6, problem = NULL, hidden_at = NULL, updated_at = now() WHERE {_OF}"
        " AND reference = $3",
        connection_id,
        reference,
        document_id,
        revision,
        walk,
    )


async def set_problem(
    tx: Tx, connection_id: UUID, item: tuple[str, str, str | None], problem: str, walk: int
) -> None:
    """`item` is its reference, revision and path. A document imported before is unchanged."""
    reference, revision, path = item
    await tx.execute(
        "INSERT INTO connection_items (tenant_id, connection_id, reference, revision, path,"
        " problem, walk) VALUES ($1, $2, $3, $4, $5, $6, $7)"
        " ON CONFLICT (tenant_id, connection_id, reference) DO UPDATE SET"
        " revision = excluded.revision, path = excluded.path, problem = excluded.problem,"
        " walk = excluded.walk, updated_at = excluded.updated_at",
        connection_id,
        reference,
        revision,
        path,
        problem,
        walk,
    )


async def hide(
    tx: Tx, connection_id: UUID, reference: str, revision: str | None, walk: int
) -> None:
    """Keep the item but never import it again: a person deleted its document here."""
    await tx.execute(
        "UPDATE connection_items SET hidden_at = least(hidden_at, now()),"
        " revision = coalesce($4, revision), walk = greatest(walk, $5), pending_id = NULL,"
        f" problem = NULL, updated_at = now() WHERE {_OF} AND reference = $3",
        connection_id,
        reference,
        revision,
        walk,
    )


async def delete(tx: Tx, connection_id: UUID, reference: str) -> None:
    await tx.execute(
        f"DELETE FROM connection_items WHERE {_OF} AND reference = $3", connection_id, reference
    )


async def has_item(tx: Tx, root_id: UUID, excluding: tuple[UUID, str] | None) -> bool:
    """Whether an item refers to a document, in any version or as a copy; the item `excluding`, a
    connection and reference, does not count."""
    connection_id, reference = excluding or (None, None)
    return bool(
        await tx.fetchval(
            "WITH chain AS (SELECT d.id FROM documents d WHERE d.tenant_id = $1"
            " AND (d.root_id = $2 OR d.duplicate_of IN (SELECT e.id FROM documents e"
            " WHERE e.tenant_id = $1 AND e.root_id = $2)))"
            " SELECT EXISTS (SELECT FROM connection_items i WHERE i.tenant_id = $1"
            " AND (i.document_id IN (SELECT id FROM chain)"
            " OR i.pending_id IN (SELECT id FROM chain))"
            " AND NOT (i.connection_id IS NOT DISTINCT FROM $3"
            " AND i.reference IS NOT DISTINCT FROM $4))",
            root_id,
            connection_id,
            reference,
        )
    )


async def mark_for_reread(
    tx: Tx, root_id: UUID, document_id: UUID, excluding: tuple[UUID, str]
) -> None:
    """Mark other items to be read again whose document got a new version from this one's change."""
    await tx.execute(
        "UPDATE connection_items SET revision = NULL, updated_at = now() WHERE tenant_id = $1"
        " AND document_id IN (SELECT id FROM documents WHERE tenant_id = $1 AND root_id = $2"
        " AND id <> $3) AND NOT (connection_id = $4 AND reference = $5)",
        root_id,
        document_id,
        *excluding,
    )


async def count(tx: Tx, connection_id: UUID) -> int:
    return await tx.fetchval(
        f"SELECT count(*)::int FROM connection_items WHERE {_OF}", connection_id
    )


async def count_seen(tx: Tx, connection_id: UUID, walk: int) -> int:
    return await tx.fetchval(
        f"SELECT count(*)::int FROM connection_items WHERE {_OF} AND walk >= $3",
        connection_id,
        walk,
    )


async def unseen_references(tx: Tx, connection_id: UUID, walk: int, limit: int) -> list[str]:
    """The references that a walk did not list, without hidden items."""
    rows = await tx.fetch(
        f"SELECT reference FROM connection_items WHERE {_OF} AND walk < $3 AND hidden_at IS NULL"
        " ORDER BY reference LIMIT $4",
        connection_id,
        walk,
        limit,
    )
    return [row["reference"] for row in rows]


async def first_references(tx: Tx, connection_id: UUID, limit: int) -> list[str]:
    rows = await tx.fetch(
        f"SELECT reference FROM connection_items WHERE {_OF} ORDER BY reference LIMIT $3",
        connection_id,
        limit,
    )
    return [row["reference"] for row in rows]


async def page(
    tx: Tx, connection_id: UUID, only_problems: bool, after: str | None, limit: int
) -> list[Row]:
    return await tx.fetch(
        f"SELECT {_COLUMNS} FROM connection_items WHERE {_OF}"
        " AND (NOT $3 OR problem IS NOT NULL) AND ($4::text IS NULL OR reference > $4)"
        " ORDER BY reference LIMIT $5",
        connection_id,
        only_problems,
        after,
        limit,
    )
