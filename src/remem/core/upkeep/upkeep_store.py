"""SQL of upkeep."""

from collections.abc import Sequence
from uuid import UUID

from remem.core.current import (
    current_documents,
    ended_memories,
    expired_documents,
    latest_documents,
    shown_memories,
)
from remem.core.index.kinds import CHUNK
from remem.core.transaction import Row, SystemTx, Tx

_EXPIRED = expired_documents()


async def duplicates(tx: Tx, project_id: UUID, other_id: UUID) -> list[Row]:
    """Documents of a project (`old`) that another project has as well (`kept`), and whether `kept`
    has expired (`over`)."""
    return await tx.fetch(
        "SELECT DISTINCT ON (o.id) o.id AS old, o.root_id, t.id AS kept, t.root_id AS kept_root,"
        f" coalesce({expired_documents('t')}, false) AS over"
        " FROM documents o JOIN documents t ON t.tenant_id = $1 AND t.project_id = $3"
        f" AND {latest_documents('t')}"
        " AND (t.content_hash = o.content_hash OR t.original_hash = o.original_hash)"
        f" WHERE o.tenant_id = $1 AND o.project_id = $2 AND {latest_documents('o')}"
        " ORDER BY o.id, over",
        project_id,
        other_id,
    )


async def chain(tx: Tx, root_id: UUID) -> list[UUID]:
    rows = await tx.fetch(
        "SELECT id FROM documents WHERE tenant_id = $1 AND root_id = $2 FOR NO KEY UPDATE", root_id
    )
    return [row["id"] for row in rows]


async def lock_documents(tx: Tx, project_ids: Sequence[UUID]) -> None:
    """Lock the documents of projects. Call it before locking the projects, as other writers do."""
    await tx.execute(
        "SELECT id FROM documents WHERE tenant_id = $1 AND project_id = ANY($2)"
        " ORDER BY id FOR NO KEY UPDATE",
        list(project_ids),
    )


async def reassign_memories(tx: Tx, document_id: UUID, to: UUID) -> None:
    """Let the memories derived from a copy refer to the document that is kept; the offsets in both
    are the same."""
    await tx.execute(
        "UPDATE memories SET"
        " evidence = replace(evidence::text, $2::uuid::text, $3::uuid::text)::jsonb,"
        " document_id = CASE document_id WHEN $2 THEN $3 ELSE document_id END"
        " WHERE tenant_id = $1 AND (document_id = $2 OR id IN (SELECT from_id FROM links"
        "  WHERE tenant_id = $1 AND from_kind = 'memory' AND to_kind = 'document'"
        "  AND to_id = $2 AND relation = 'derives'))",
        document_id,
        to,
    )
    await tx.execute(
        "UPDATE links l SET to_id = $3 WHERE tenant_id = $1 AND from_kind = 'memory'"
        " AND to_kind = 'document' AND to_id = $2 AND relation = 'derives' AND NOT EXISTS"
        " (SELECT FROM links k WHERE k.tenant_id = $1 AND k.from_kind = 'memory'"
        "  AND k.from_id = l.from_id AND k.to_kind = 'document' AND k.to_id = $3"
        "  AND k.relation = 'derives')",
        document_id,
        to,
    )


async def move_documents(tx: Tx, project_id: UUID, to: UUID) -> tuple[int, list[UUID]]:
    """Move all documents; return how many latest ones there were, and the ids of all chunks."""
    latest = await tx.fetchval(
        "WITH moved AS (UPDATE documents SET project_id = $3, updated_at = now()"
        " WHERE tenant_id = $1 AND project_id = $2 RETURNING is_latest)"
        f" SELECT count(*) FILTER (WHERE {latest_documents()})::int FROM moved",
        project_id,
        to,
    )
    rows = await tx.fetch(
        "UPDATE chunks SET project_id = $3 WHERE tenant_id = $1 AND project_id = $2 RETURNING id",
        project_id,
        to,
    )
    return latest, [row["id"] for row in rows]


async def find_expired_documents(tx: Tx, limit: int) -> list[Row]:
    """A batch of expired documents; an expired latest version includes its older ones."""
    return await tx.fetch(
        f"SELECT id, project_id FROM documents WHERE tenant_id = $1 AND ({_EXPIRED} OR root_id IN"
        f" (SELECT root_id FROM documents WHERE tenant_id = $1 AND {latest_documents()}"
        f"  AND {_EXPIRED} LIMIT $2))"
        " ORDER BY project_id, id LIMIT $2 FOR NO KEY UPDATE SKIP LOCKED",
        limit,
    )


async def has_expired(tx: Tx, session_days: int) -> bool:
    """Whether anything has expired, and no job or transaction is working on it."""
    return await tx.fetchval(
        "SELECT pg_try_advisory_xact_lock(hashtextextended('forget ' || $1::uuid::text, 0))"
        f" AND (EXISTS (SELECT FROM documents WHERE tenant_id = $1 AND {_EXPIRED})"
        f" OR EXISTS (SELECT FROM memories WHERE tenant_id = $1 AND {ended_memories()})"
        " OR EXISTS (SELECT FROM deleted_rows WHERE tenant_id = $1 AND expires_at <= now())"
        " OR EXISTS (SELECT FROM blobs WHERE tenant_id = $1 AND released_at <= now())"
        " OR $2 > 0 AND EXISTS (SELECT FROM sessions WHERE tenant_id = $1 AND is_recorded"
        "  AND updated_at < now() - make_interval(days => $2)))"
        " AND NOT EXISTS (SELECT FROM jobs WHERE tenant_id = $1 AND subject_id = $1"
        "  AND name = 'forget_expired' AND status IN ('pending', 'processing'))",
        session_days,
    )


# What is searched by meaning: the chunks of done documents, and visible memories.
_STALE = {
    "documents": f"SELECT d.id FROM documents d WHERE d.tenant_id = $1 AND {current_documents('d')}"
    " AND d.status = 'done' AND EXISTS (SELECT FROM chunks c WHERE c.tenant_id = $1"
    " AND c.document_id = d.id AND (c.embedded_with = ANY($2)) IS NOT TRUE)",
    "memories": f"SELECT id FROM memories WHERE tenant_id = $1 AND {shown_memories()}"
    " AND (embedded_with = ANY($2)) IS NOT TRUE",
}


async def stale(tx: Tx, kind: str, models: Sequence[str], limit: int) -> list[UUID]:
    """Documents or memories with a text that was embedded with none of these models."""
    query = f"{_STALE[kind]} ORDER BY id LIMIT {limit:d}"
    rows = await tx.fetch(query, list(models))
    return [row["id"] for row in rows]


async def count_stale(tx: Tx, model: str) -> int:
    return await tx.fetchval(
        "SELECT (SELECT count(*) FROM chunks c JOIN documents d ON d.tenant_id = $1"
        f" AND d.id = c.document_id WHERE c.tenant_id = $1 AND {current_documents('d')}"
        " AND d.status = 'done' AND (c.embedded_with = ANY($2)) IS NOT TRUE)::int"
        f" + (SELECT count(*) FROM ({_STALE['memories']}) m)::int",
        [model],
    )


async def has_texts_to_move(tx: Tx, model: str) -> bool:
    """Whether anything that is searched has a vector, but none of this model."""
    return await tx.fetchval(
        "SELECT EXISTS (SELECT FROM chunks c JOIN documents d ON d.tenant_id = $1"
        f" AND d.id = c.document_id WHERE c.tenant_id = $1 AND {current_documents('d')}"
        " AND d.status IN ('done', 'failed') AND c.embedded_with <> $2)"
        " OR EXISTS (SELECT FROM memories"
        f" WHERE tenant_id = $1 AND {shown_memories()} AND embedded_with <> $2)",
        model,
    )


async def mark_stale(tx: Tx) -> None:
    """Mark everything for re-embedding; the old vectors are used until each is replaced."""
    await tx.execute(
        "UPDATE chunks SET embedded_with = NULL WHERE tenant_id = $1 AND embedded_with IS NOT NULL"
    )
    await tx.execute(
        "UPDATE memories SET embedded_with = NULL, embedded_hash = NULL WHERE tenant_id = $1"
        " AND embedded_with IS NOT NULL"
    )


async def needs_embedding(tx: Tx, model: str) -> bool:
    """Whether anything lacks a vector of this model, and no job is pending or running for it."""
    return await tx.fetchval(
        "SELECT pg_try_advisory_xact_lock(hashtextextended('reembed ' || $1::uuid::text, 0))"
        f" AND (EXISTS ({_STALE['documents']}) OR EXISTS ({_STALE['memories']}))"
        " AND NOT EXISTS (SELECT FROM jobs WHERE tenant_id = $1 AND subject_id = $1"
        "  AND name = 'reembed' AND status IN ('pending', 'processing'))",
        [model],
    )


async def lacks_reembedding(tx: Tx) -> bool:
    """Whether no job is pending or running for it, and none has failed in the last hour."""
    return await tx.fetchval(
        "SELECT pg_try_advisory_xact_lock(hashtextextended('reembed ' || $1::uuid::text, 0))"
        " AND NOT EXISTS (SELECT FROM jobs WHERE tenant_id = $1 AND subject_id = $1"
        "  AND name = 'reembed' AND (status IN ('pending', 'processing')"
        "   OR status = 'failed' AND finished_at > now() - interval '1 hour'))"
    )


async def count_jobs(tx: Tx, name: str) -> int:
    return await tx.fetchval(
        "SELECT count(*)::int FROM jobs WHERE tenant_id = $1 AND subject_id = $1 AND name = $2"
        " AND status IN ('pending', 'processing')",
        name,
    )


async def never_analyzed(tx: SystemTx, tables: Sequence[str]) -> dict[str, int]:
    """The tables without planner statistics, and the size of each in bytes."""
    rows = await tx.fetch(
        "SELECT relname::text AS name, pg_relation_size(oid) AS size FROM pg_class"
        " WHERE oid = ANY($1::text[]::regclass[]) AND reltuples < 0",
        list(tables),
    )
    return {row["name"]: row["size"] for row in rows}


async def analyze(tx: SystemTx, table: str) -> None:
    await tx.execute(f"ANALYZE {table}")


async def keys_done_until(tx: Tx, kind: str) -> UUID | None:
    """The last text whose keys are indexed, locked; None if all are, or another worker indexes
    them."""
    return await tx.fetchval(
        "SELECT done_until FROM keys_to_index WHERE tenant_id = $1 AND owner_kind = $2"
        " FOR UPDATE SKIP LOCKED",
        kind,
    )


async def next_texts(tx: Tx, kind: str, after: UUID, limit: int) -> list[UUID]:
    table = "chunks" if kind == CHUNK else "memories"
    rows = await tx.fetch(
        f"SELECT id FROM {table} WHERE tenant_id = $1 AND id > $2 ORDER BY id LIMIT $3",
        after,
        limit,
    )
    return [row["id"] for row in rows]


async def note_keys(tx: Tx, kind: str, done_until: UUID) -> None:
    await tx.execute(
        "UPDATE keys_to_index SET done_until = $3 WHERE tenant_id = $1 AND owner_kind = $2",
        kind,
        done_until,
    )


async def finish_keys(tx: Tx, kind: str) -> None:
    await tx.execute("DELETE FROM keys_to_index WHERE tenant_id = $1 AND owner_kind = $2", kind)
