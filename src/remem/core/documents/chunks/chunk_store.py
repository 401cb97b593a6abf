"""SQL of chunks."""

from collections.abc import Sequence
from uuid import UUID

from remem.core.current import current_documents
from remem.core.documents.model import Chunk
from remem.core.transaction import Tx
from remem.core.unreadable import row_values

CHUNK_COLUMNS = (
    "id", "document_id", "content", "chunk_index", "start_offset", "end_offset", "page", "at_s",
    "heading_path", "speaker", "said_at", "thread_id", "place", "asks", "tells_time",
)  # fmt: skip
_CHUNK = ", ".join(CHUNK_COLUMNS)
# The others are being embedded, with the model of that moment.
_EMBEDDED_DOCUMENTS = f"{current_documents('d')} AND d.status IN ('done', 'failed')"


async def insert(
    tx: Tx,
    project_id: UUID,
    chunks: Sequence[Chunk],
    embedded_with: str | None,
    hashes: Sequence[str | None],
) -> None:
    values = ", ".join(f"${n}" for n in range(5, len(CHUNK_COLUMNS) + 5))
    await tx.executemany(
        "INSERT INTO chunks (tenant_id, project_id, embedded_with, embedded_hash,"
        f" {_CHUNK}) VALUES ($1, $2, $3, $4, {values})",
        [
            (project_id, embedded_with, hash, *_values_of_chunk(chunk))
            for chunk, hash in zip(chunks, hashes, strict=True)
        ],
    )


def _values_of_chunk(chunk: Chunk) -> list[object]:
    return [getattr(chunk, name) for name in CHUNK_COLUMNS]


async def next_place(tx: Tx, thread_id: UUID) -> int:
    """The position of the next turn of a session."""
    return await tx.fetchval(
        "SELECT coalesce(max(place), -1) + 1 FROM chunks WHERE tenant_id = $1 AND thread_id = $2",
        thread_id,
    )


async def end_of_chunks(tx: Tx, document_id: UUID) -> int:
    """Up to where the text of a document is stored in chunks."""
    return await tx.fetchval(
        "SELECT coalesce(max(end_offset), 0) FROM chunks WHERE tenant_id = $1 AND document_id = $2",
        document_id,
    )


async def first_of_document(tx: Tx, document_id: UUID) -> list[Chunk]:
    """The first chunk, if there is one."""
    rows = await tx.fetch(
        f"SELECT {_CHUNK} FROM chunks WHERE tenant_id = $1 AND document_id = $2"
        " AND chunk_index = 0",
        document_id,
    )
    return [Chunk(**row_values(row)) for row in rows]


async def of_document(tx: Tx, document_id: UUID) -> list[Chunk]:
    rows = await tx.fetch(
        f"SELECT {_CHUNK} FROM chunks WHERE tenant_id = $1 AND document_id = $2"
        " ORDER BY chunk_index",
        document_id,
    )
    return [Chunk(**row_values(row)) for row in rows]


async def find_many(tx: Tx, ids: Sequence[UUID]) -> list[Chunk]:
    rows = await tx.fetch(
        f"SELECT {_CHUNK} FROM chunks WHERE tenant_id = $1 AND id = ANY($2)", list(ids)
    )
    return [Chunk(**row_values(row)) for row in rows]


async def ids_of_document(tx: Tx, document_id: UUID) -> list[UUID]:
    rows = await tx.fetch(
        "SELECT id FROM chunks WHERE tenant_id = $1 AND document_id = $2", document_id
    )
    return [row["id"] for row in rows]


async def documents_of(tx: Tx, ids: Sequence[UUID]) -> list[tuple[UUID, UUID]]:
    """The ids of chunks, each with that of its document."""
    rows = await tx.fetch(
        "SELECT id, document_id FROM chunks WHERE tenant_id = $1 AND id = ANY($2)", list(ids)
    )
    return [(row["id"], row["document_id"]) for row in rows]


async def embedded_counts(tx: Tx, document_id: UUID) -> tuple[int, int]:
    """The number of chunks with a vector, and of all chunks."""
    row = await tx.fetchrow(
        "SELECT count(embedded_with) AS embedded, count(*) AS total FROM chunks"
        " WHERE tenant_id = $1 AND document_id = $2",
        document_id,
    )
    return row["embedded"], row["total"]


async def without_vector(tx: Tx, document_id: UUID, model: str, limit: int) -> list[Chunk]:
    rows = await tx.fetch(
        f"SELECT {_CHUNK} FROM chunks WHERE tenant_id = $1 AND document_id = $2"
        " AND embedded_with IS DISTINCT FROM $3 ORDER BY chunk_index LIMIT $4",
        document_id,
        model,
        limit,
    )
    return [Chunk(**row_values(row)) for row in rows]


async def to_move(
    tx: Tx, model: str, after: UUID | None, limit: int
) -> list[tuple[Chunk, str, str, UUID, str | None]]:
    """Chunks of processed documents that have a vector, but none of this model: each with the
    document's title and type, its project and the hash of what was embedded."""
    columns = ", ".join(f"c.{name}" for name in CHUNK_COLUMNS)
    rows = await tx.fetch(
        f"SELECT {columns}, d.title, d.content_type, c.project_id, c.embedded_hash"
        " FROM chunks c JOIN documents d ON d.tenant_id = $1 AND d.id = c.document_id"
        f" WHERE c.tenant_id = $1 AND c.embedded_with <> $2 AND {_EMBEDDED_DOCUMENTS}"
        " AND ($3::uuid IS NULL OR c.id > $3) ORDER BY c.id LIMIT $4",
        model,
        after,
        limit,
    )
    return [
        (
            Chunk(**{name: row[name] for name in CHUNK_COLUMNS}),
            row["title"],
            row["content_type"],
            row["project_id"],
            row["embedded_hash"],
        )
        for row in rows
    ]


async def lock_unchanged(
    tx: Tx, project_id: UUID, model: str, hashes: Sequence[tuple[UUID, str | None]]
) -> set[UUID]:
    """Those that have the hash and no vector of this model yet; locked rows are left out."""
    ids, digests = zip(*hashes, strict=True)
    rows = await tx.fetch(
        "SELECT c.id FROM chunks c JOIN documents d ON d.tenant_id = $1"
        " AND d.id = c.document_id JOIN unnest($3::uuid[], $4::text[]) AS e(id, hash)"
        " ON e.id = c.id AND e.hash IS NOT DISTINCT FROM c.embedded_hash"
        " WHERE c.tenant_id = $1 AND c.embedded_with <> $2 AND c.project_id = $5"
        f" AND {_EMBEDDED_DOCUMENTS}"
        " FOR NO KEY UPDATE OF c SKIP LOCKED",
        model,
        ids,
        digests,
        project_id,
    )
    return {row["id"] for row in rows}


async def mark_embedded(tx: Tx, model: str, hashes: Sequence[tuple[UUID, str | None]]) -> None:
    ids, digests = zip(*hashes, strict=True)
    await tx.execute(
        "UPDATE chunks c SET embedded_with = $2, embedded_hash = e.hash"
        " FROM unnest($3::uuid[], $4::text[]) AS e(id, hash)"
        " WHERE c.tenant_id = $1 AND c.id = e.id",
        model,
        ids,
        digests,
    )


async def mark_refused(tx: Tx, model: str, ids: Sequence[UUID]) -> None:
    """Mark chunks that the model refused: they have a model but no hash, hence no vector."""
    await tx.execute(
        "UPDATE chunks SET embedded_with = $2, embedded_hash = NULL"
        " WHERE tenant_id = $1 AND id = ANY($3)",
        model,
        list(ids),
    )


async def refused_counts(tx: Tx, document_id: UUID) -> tuple[int, int]:
    """The number of chunks that the model refused, and of all chunks."""
    row = await tx.fetchrow(
        "SELECT count(*) FILTER (WHERE embedded_with IS NOT NULL AND embedded_hash IS NULL)"
        " AS refused, count(*) AS total FROM chunks WHERE tenant_id = $1 AND document_id = $2",
        document_id,
    )
    return row["refused"], row["total"]
