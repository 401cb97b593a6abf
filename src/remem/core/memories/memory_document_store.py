"""SQL of the documents that state memories, and of the memories of a document."""

from collections.abc import Collection, Sequence
from datetime import datetime
from uuid import UUID

from remem.core.current import latest_documents, latest_memories, replaced_memories
from remem.core.memories.memory_store import COLUMNS, SELECT
from remem.core.memories.model import Memory
from remem.core.transaction import Tx
from remem.core.unreadable import row_values


async def document_exists(tx: Tx, id: UUID) -> bool:
    return await tx.fetchval(
        "SELECT exists (SELECT FROM documents WHERE tenant_id = $1 AND id = $2)", id
    )


async def existing_documents(tx: Tx, ids: Collection[UUID]) -> set[UUID]:
    """The documents of these that exist, whatever their version."""
    rows = await tx.fetch(
        "SELECT id FROM documents WHERE tenant_id = $1 AND id = ANY($2)", list(ids)
    )
    return {row["id"] for row in rows}


async def any_latest(tx: Tx, ids: Collection[UUID]) -> bool:
    """Whether one of the documents exists and is the latest version of its chain."""
    return await tx.fetchval(
        "SELECT exists (SELECT FROM documents WHERE tenant_id = $1 AND id = ANY($2)"
        f" AND {latest_documents()})",
        list(ids),
    )


async def last_saved(tx: Tx, ids: Collection[UUID]) -> datetime | None:
    """When the newest of the documents was saved."""
    return await tx.fetchval(
        "SELECT max(created_at) FROM documents WHERE tenant_id = $1 AND id = ANY($2)", list(ids)
    )


async def tags_of_documents(tx: Tx, ids: Collection[UUID]) -> set[str]:
    """The tags of all these documents."""
    rows = await tx.fetch(
        "SELECT DISTINCT unnest(tags) AS tag FROM documents WHERE tenant_id = $1 AND id = ANY($2)",
        list(ids),
    )
    return {row["tag"] for row in rows}


async def lock_document(tx: Tx, id: UUID) -> bool:
    """Keep a document from being erased until the transaction ends; False when it is gone.

    The project must be locked before: a transaction that erases a document locks its project
    first, so the other order could deadlock."""
    return bool(
        await tx.fetchval(
            "SELECT true FROM documents WHERE tenant_id = $1 AND id = $2 FOR KEY SHARE", id
        )
    )


async def lock_latest_in(tx: Tx, id: UUID, project_id: UUID) -> bool:
    """Lock a document; False also when it is an old version, or in another project by now."""
    return bool(
        await tx.fetchval(
            "SELECT is_latest FROM documents WHERE tenant_id = $1 AND id = $2 AND project_id = $3"
            " FOR KEY SHARE",
            id,
            project_id,
        )
    )


async def find_by_document(
    tx: Tx, document_id: UUID, linked: Sequence[UUID], source: str
) -> list[Memory]:
    """Memories of a source that name a document or are in `linked`, including deleted ones."""
    rows = await tx.fetch(
        f"{SELECT} WHERE m.tenant_id = $1 AND m.source = $2"
        " AND (m.document_id = $3 OR m.id = ANY($4)) ORDER BY m.version DESC",
        source,
        document_id,
        list(linked),
    )
    return [Memory(**row_values(row)) for row in rows]


async def projects_with_memories_of(tx: Tx, document_ids: Sequence[UUID]) -> set[UUID]:
    """The projects whose memories name these documents or are linked to them."""
    rows = await tx.fetch(
        "SELECT DISTINCT project_id FROM memories WHERE tenant_id = $1 AND id IN ("
        " SELECT id FROM memories WHERE tenant_id = $1 AND document_id = ANY($2)"
        " UNION SELECT from_id FROM links WHERE tenant_id = $1 AND from_kind = 'memory'"
        "  AND to_kind = 'document' AND relation = 'derives' AND to_id = ANY($2))",
        list(document_ids),
    )
    return {row["project_id"] for row in rows}


async def projects_of_memories(tx: Tx, ids: Sequence[UUID]) -> set[UUID]:
    """The projects of memories, including deleted ones."""
    rows = await tx.fetch(
        "SELECT DISTINCT project_id FROM memories WHERE tenant_id = $1 AND id = ANY($2)", list(ids)
    )
    return {row["project_id"] for row in rows}


async def any_in_other_project(
    tx: Tx, ids: Sequence[UUID], document_ids: Collection[UUID], project_id: UUID
) -> bool:
    """Whether one of these documents, or of those linked to these memories, is in another
    project."""
    return await tx.fetchval(
        "SELECT exists (SELECT FROM documents WHERE tenant_id = $1 AND project_id <> $4"
        " AND id IN (SELECT unnest($3::uuid[]) UNION SELECT to_id FROM links WHERE tenant_id = $1"
        "  AND from_kind = 'memory' AND from_id = ANY($2) AND to_kind = 'document'"
        "  AND relation = 'derives'))",
        list(ids),
        list(document_ids),
        project_id,
    )


async def find_replaced(
    tx: Tx, hashes: Sequence[str], document_ids: Sequence[UUID]
) -> list[tuple[Memory, UUID]]:
    """Memories of these documents with one of these hashes that were replaced, each with the id of
    the current version of its chain."""
    rows = await tx.fetch(
        f"SELECT {COLUMNS}, (SELECT c.id FROM memories c WHERE c.tenant_id = $1"
        f"  AND c.root_id = m.root_id AND {latest_memories('c')}) AS newer_id FROM memories m"
        " WHERE m.tenant_id = $1 AND m.content_hash = ANY($2) AND m.document_id = ANY($3)"
        f" AND {replaced_memories('m')}",
        list(hashes),
        list(document_ids),
    )
    columns = [dict(row) for row in rows if row["newer_id"]]
    return [(Memory(**row_values(row)), id) for row in columns if (id := row.pop("newer_id"))]
