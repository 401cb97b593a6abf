"""SQL of documents that were imported as rows."""

from collections.abc import Sequence
from uuid import UUID

from remem.core.current import latest_documents
from remem.core.documents.chunks.chunk_store import CHUNK_COLUMNS
from remem.core.documents.chunks.cut import Header
from remem.core.documents.document_store import CURRENT
from remem.core.documents.model import Chunk
from remem.core.documents.voice import author_of
from remem.core.transaction import Tx


async def latest_chunks(tx: Tx, ids: Sequence[UUID]) -> list[tuple[Chunk, Header, UUID]]:
    """Chunks of latest documents, each with its document's header and project."""
    columns = ", ".join(f"c.{name}" for name in CHUNK_COLUMNS)
    rows = await tx.fetch(
        f"SELECT {columns}, d.title AS document_title, d.project_id AS document_project,"
        " d.tags AS document_tags, d.metadata AS document_metadata, d.content_type"
        " FROM chunks c JOIN documents d ON d.tenant_id = $1 AND d.id = c.document_id"
        f" WHERE c.tenant_id = $1 AND c.id = ANY($2) AND {latest_documents('d')}",
        list(ids),
    )
    return [
        (
            Chunk(**{name: row[name] for name in CHUNK_COLUMNS}),
            Header(
                row["document_title"],
                row["document_tags"],
                author_of(row["document_metadata"]),
                row["content_type"],
            ),
            row["document_project"],
        )
        for row in rows
    ]


async def finish_embedded(tx: Tx, ids: Sequence[UUID], model: str) -> None:
    """Mark the documents done that were waiting for vectors and now have all of them."""
    await tx.execute(
        "UPDATE documents d SET status = 'done' WHERE tenant_id = $1 AND id = ANY($2)"
        " AND status = 'embedding' AND EXISTS (SELECT FROM chunks c"
        " WHERE c.tenant_id = $1 AND c.document_id = d.id) AND NOT EXISTS (SELECT"
        " FROM chunks c WHERE c.tenant_id = $1 AND c.document_id = d.id"
        " AND c.embedded_with IS DISTINCT FROM $3)",
        list(ids),
        model,
    )


async def unfinished(tx: Tx, ids: Sequence[UUID]) -> list[UUID]:
    """The documents that are neither done nor failed."""
    rows = await tx.fetch(
        f"SELECT id FROM documents d WHERE tenant_id = $1 AND id = ANY($2) AND {CURRENT}"
        " AND status NOT IN ('done', 'failed') ORDER BY id",
        list(ids),
    )
    return [row["id"] for row in rows]


async def root_of(tx: Tx, id: UUID) -> UUID | None:
    """The chain of a document, including replaced and expired ones and copies."""
    return await tx.fetchval("SELECT root_id FROM documents WHERE tenant_id = $1 AND id = $2", id)
