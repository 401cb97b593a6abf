"""SQL of documents that a connection keeps up to date."""

from collections.abc import Sequence
from uuid import UUID

from remem.core.documents.document_store import CURRENT
from remem.core.documents.model import CONNECTED
from remem.core.transaction import Row, Tx


async def chains(tx: Tx, ids: Sequence[UUID]) -> list[Row]:
    """The latest versions of documents, or of the documents they are copies of; locks them."""
    return await tx.fetch(
        "SELECT d.id, d.root_id, d.project_id, d.source FROM documents d WHERE d.tenant_id = $1"
        f" AND {CURRENT} AND d.root_id IN (SELECT coalesce(e.root_id, n.root_id)"
        " FROM documents n LEFT JOIN documents e"
        " ON e.tenant_id = $1 AND e.id = n.duplicate_of"
        " WHERE n.tenant_id = $1 AND n.id = ANY($2)) ORDER BY d.id FOR NO KEY UPDATE OF d",
        list(ids),
    )


async def copies(tx: Tx, ids: Sequence[UUID]) -> list[Row]:
    """The documents that turned out to be copies, each with the id of its original."""
    return await tx.fetch(
        "SELECT id, project_id, duplicate_of FROM documents"
        " WHERE tenant_id = $1 AND id = ANY($2) AND duplicate_of IS NOT NULL",
        list(ids),
    )


async def claim(tx: Tx, id: UUID, source: str) -> None:
    await tx.execute(
        "UPDATE documents SET source = $3 WHERE tenant_id = $1 AND id = $2"
        " AND starts_with(source, $4)",
        id,
        source,
        CONNECTED,
    )


async def short_texts(
    tx: Tx, project_id: UUID, sources: Sequence[str], chars: int, limit: int
) -> list[Row]:
    """The newest texts of a project from these sources, without files and web pages."""
    return await tx.fetch(
        "SELECT d.root_id, d.title, d.content, d.tags, d.created_at FROM documents d"
        f" WHERE d.tenant_id = $1 AND d.project_id = $2 AND {CURRENT}"
        " AND d.source = ANY($3) AND d.blob_key IS NULL AND d.source_url IS NULL"
        " AND d.content_type IN ('text', 'markdown', 'note') AND length(d.content) BETWEEN 1 AND $4"
        " ORDER BY d.created_at DESC, d.id DESC LIMIT $5",
        project_id,
        list(sources),
        chars,
        limit,
    )
