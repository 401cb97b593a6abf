"""SQL of the documents that memories rest on, and of the memories that rest on a document."""

from collections.abc import Collection, Sequence
from datetime import datetime
from uuid import UUID

from remem.core.current import latest_documents, latest_memories, replaced_memories
from remem.core.db import Tx
from remem.core.memories.model import Memory
from remem.core.memories.store import COLUMNS, SELECT
from remem.core.scope import Scope
from remem.core.unreadable import values_of


async def document_exists(tx: Tx, scope: Scope, id: UUID) -> bool:
    return await tx.fetchval(
        "SELECT exists (SELECT FROM documents WHERE tenant_id = $1 AND id = $2)",
        scope.tenant_id,
        id,
    )


async def existing_documents(tx: Tx, scope: Scope, ids: Collection[UUID]) -> set[UUID]:
    """Those of the documents that are there, of any version."""
    rows = await tx.fetch(
        "SELECT id FROM documents WHERE tenant_id = $1 AND id = ANY($2)",
        scope.tenant_id,
        list(ids),
    )
    return {row["id"] for row in rows}


async def any_latest(tx: Tx, scope: Scope, ids: Collection[UUID]) -> bool:
    """Whether one of the documents is there, and the latest version of itself."""
    return await tx.fetchval(
        "SELECT exists (SELECT FROM documents WHERE tenant_id = $1 AND id = ANY($2)"
        f" AND {latest_documents()})",
        scope.tenant_id,
        list(ids),
    )


async def last_saved(tx: Tx, scope: Scope, ids: Collection[UUID]) -> datetime | None:
    """When the newest of the documents was saved."""
    return await tx.fetchval(
        "SELECT max(created_at) FROM documents WHERE tenant_id = $1 AND id = ANY($2)",
        scope.tenant_id,
        list(ids),
    )


async def tags_of_documents(tx: Tx, scope: Scope, ids: Collection[UUID]) -> set[str]:
    """All tags that these documents have."""
    rows = await tx.fetch(
        "SELECT DISTINCT unnest(tags) AS tag FROM documents WHERE tenant_id = $1 AND id = ANY($2)",
        scope.tenant_id,
        list(ids),
    )
    return {row["tag"] for row in rows}


async def lock_document(tx: Tx, scope: Scope, id: UUID) -> bool:
    """Keep a document from being erased until the end; False when it is gone.

    Taken once the project is locked: who erases a document has locked it less than this, and waits
    for its project first."""
    return bool(
        await tx.fetchval(
            "SELECT true FROM documents WHERE tenant_id = $1 AND id = $2 FOR KEY SHARE",
            scope.tenant_id,
            id,
        )
    )


async def lock_latest_in(tx: Tx, scope: Scope, id: UUID, project_id: UUID) -> bool:
    """The same; False also when it is an old version of itself, or in another project by now."""
    return bool(
        await tx.fetchval(
            "SELECT is_latest FROM documents WHERE tenant_id = $1 AND id = $2 AND project_id = $3"
            " FOR KEY SHARE",
            scope.tenant_id,
            id,
            project_id,
        )
    )


async def of_document(
    tx: Tx, scope: Scope, document_id: UUID, linked: Sequence[UUID], source: str
) -> list[Memory]:
    """Those of a source that name a document, or are linked to it; also deleted ones."""
    rows = await tx.fetch(
        f"{SELECT} WHERE m.tenant_id = $1 AND m.source = $2"
        " AND (m.document_id = $3 OR m.id = ANY($4)) ORDER BY m.version DESC",
        scope.tenant_id,
        source,
        document_id,
        list(linked),
    )
    return [Memory(**values_of(row)) for row in rows]


async def projects_resting_on(tx: Tx, scope: Scope, document_ids: Sequence[UUID]) -> set[UUID]:
    """Those whose memories name these documents, or are linked to them."""
    rows = await tx.fetch(
        "SELECT DISTINCT project_id FROM memories WHERE tenant_id = $1 AND id IN ("
        " SELECT id FROM memories WHERE tenant_id = $1 AND document_id = ANY($2)"
        " UNION SELECT from_id FROM links WHERE tenant_id = $1 AND from_kind = 'memory'"
        "  AND to_kind = 'document' AND relation = 'derives' AND to_id = ANY($2))",
        scope.tenant_id,
        list(document_ids),
    )
    return {row["project_id"] for row in rows}


async def projects_of(tx: Tx, scope: Scope, ids: Sequence[UUID]) -> set[UUID]:
    """Of memories, also of deleted ones."""
    rows = await tx.fetch(
        "SELECT DISTINCT project_id FROM memories WHERE tenant_id = $1 AND id = ANY($2)",
        scope.tenant_id,
        list(ids),
    )
    return {row["project_id"] for row in rows}


async def any_elsewhere(
    tx: Tx, scope: Scope, ids: Sequence[UUID], document_ids: Collection[UUID], project_id: UUID
) -> bool:
    """Whether one of these documents, or one that these memories are linked to, is not in the
    project."""
    return await tx.fetchval(
        "SELECT exists (SELECT FROM documents WHERE tenant_id = $1 AND project_id <> $4"
        " AND id IN (SELECT unnest($3::uuid[]) UNION SELECT to_id FROM links WHERE tenant_id = $1"
        "  AND from_kind = 'memory' AND from_id = ANY($2) AND to_kind = 'document'"
        "  AND relation = 'derives'))",
        scope.tenant_id,
        list(ids),
        list(document_ids),
        project_id,
    )


async def replaced_in(
    tx: Tx, scope: Scope, hashes: Sequence[str], document_ids: Sequence[UUID]
) -> list[tuple[Memory, UUID]]:
    """Those that say one of these by one of the documents and that were replaced in their chains,
    each with what is current there."""
    rows = await tx.fetch(
        f"SELECT {COLUMNS}, (SELECT c.id FROM memories c WHERE c.tenant_id = m.tenant_id"
        f"  AND c.root_id = m.root_id AND {latest_memories('c')}) AS newer_id FROM memories m"
        " WHERE m.tenant_id = $1 AND m.content_hash = ANY($2) AND m.document_id = ANY($3)"
        f" AND {replaced_memories('m')}",
        scope.tenant_id,
        list(hashes),
        list(document_ids),
    )
    found = [dict(row) for row in rows if row["newer_id"]]
    return [(Memory(**values_of(row)), id) for row in found if (id := row.pop("newer_id"))]
