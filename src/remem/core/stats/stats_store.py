"""SQL of counts and live updates."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any
from uuid import UUID

from remem.core.current import current_documents, current_memories, shown_memories
from remem.core.transaction import Tx

_CURRENT_DOCUMENTS = current_documents()
_CURRENT_MEMORIES = current_memories()
_WAITING = (
    "status NOT IN ('done', 'failed') AND NOT EXISTS (SELECT FROM chunks c"
    " WHERE c.tenant_id = $1 AND c.document_id = documents.id)"
)
_WEEK = "created_at > now() - interval '7 days'"

_TOTALS = f"""
SELECT d.documents, d.documents_this_week, d.documents_waiting,
  m.memories, m.memories_this_week, m.memories_embedded, c.chunks, c.chunks_embedded,
  (SELECT count(*) FROM entities WHERE tenant_id = $1) AS entities,
  (SELECT count(*) FROM links WHERE tenant_id = $1) AS links,
  (SELECT count(*) FROM projects WHERE tenant_id = $1) AS projects,
  (a.bytes + b.bytes + v.bytes)::bigint AS storage_bytes
FROM
  (SELECT count(*) AS documents, count(*) FILTER (WHERE {_WEEK}) AS documents_this_week,
     count(*) FILTER (WHERE {_WAITING}) AS documents_waiting
   FROM documents WHERE tenant_id = $1 AND {_CURRENT_DOCUMENTS}) d,
  (SELECT count(*) AS memories, count(*) FILTER (WHERE {_WEEK}) AS memories_this_week,
     count(*) FILTER (WHERE embedded_with = ANY($2) AND embedded_hash IS NOT NULL)
       AS memories_embedded
   FROM memories WHERE tenant_id = $1 AND {_CURRENT_MEMORIES}) m,
  (SELECT count(*) AS chunks, count(*) FILTER (WHERE c.embedded_with = ANY($2)
     AND c.embedded_hash IS NOT NULL) AS chunks_embedded
   FROM chunks c JOIN documents d ON d.tenant_id = $1 AND d.id = c.document_id
   WHERE c.tenant_id = $1 AND {_CURRENT_DOCUMENTS}) c,
  (SELECT coalesce(sum(octet_length(content)), 0) AS bytes FROM (
     SELECT content FROM documents WHERE tenant_id = $1
     UNION ALL SELECT content FROM memories WHERE tenant_id = $1) t) a,
  (SELECT coalesce(sum(size), 0) AS bytes FROM blobs
   WHERE tenant_id = $1 AND released_at IS NULL) b,
  (SELECT coalesce(sum(pg_column_size(vector)), 0) AS bytes FROM embeddings
   WHERE tenant_id = $1) v
"""


async def totals(tx: Tx, models: Sequence[str]) -> dict[str, int]:
    return dict(await tx.fetchrow(_TOTALS, list(models)))


async def count_moved(tx: Tx, model: str) -> tuple[int, int]:
    """The texts with a vector of the model, and those with any."""
    row = await tx.fetchrow(
        "SELECT count(*) FILTER (WHERE embedded_with = $2)::int AS moved, count(*)::int AS total"
        " FROM (SELECT embedded_with FROM memories"
        f"  WHERE tenant_id = $1 AND {shown_memories()} AND embedded_with IS NOT NULL UNION ALL"
        " SELECT c.embedded_with FROM chunks c JOIN documents d ON d.tenant_id = $1"
        f"  AND d.id = c.document_id WHERE c.tenant_id = $1 AND {current_documents('d')}"
        "  AND d.status = 'done' AND c.embedded_with IS NOT NULL) texts",
        model,
    )
    return row["moved"], row["total"]


async def documents_by_status(tx: Tx) -> dict[str, int]:
    rows = await tx.fetch(
        f"SELECT status, count(*)::int AS number FROM documents"
        f" WHERE tenant_id = $1 AND {_CURRENT_DOCUMENTS} GROUP BY status ORDER BY status"
    )
    return {row["status"]: row["number"] for row in rows}


async def jobs_by_status(tx: Tx) -> dict[str, int]:
    rows = await tx.fetch(
        "SELECT status, count(*)::int AS number FROM jobs"
        " WHERE tenant_id = $1 AND status <> 'completed' GROUP BY status ORDER BY status"
    )
    return {row["status"]: row["number"] for row in rows}


# Times are truncated to days of the time zone ($3); only days within the bounds are counted.
_DAYS = f"""
WITH bounds AS (
  SELECT coalesce($4::date, (now() AT TIME ZONE $3)::date) AS last
), days AS (
  SELECT generate_series(last - ($5::int - 1), last, '1 day')::date AS day FROM bounds
), limits AS (
  SELECT (min(day)::timestamp AT TIME ZONE $3) AS start,
    ((max(day) + 1)::timestamp AT TIME ZONE $3) AS stop FROM days
), counted AS (
  SELECT (d.created_at AT TIME ZONE $3)::date AS day, 'documents' AS what, count(*)::int AS number
  FROM documents d, limits WHERE d.tenant_id = $1 AND {current_documents("d")}
    AND ($2::uuid[] IS NULL OR d.project_id = ANY($2))
    AND d.created_at >= limits.start AND d.created_at < limits.stop GROUP BY 1
  UNION ALL
  SELECT (m.created_at AT TIME ZONE $3)::date, 'memories', count(*)::int
  FROM memories m, limits WHERE m.tenant_id = $1 AND {current_memories("m")}
    AND ($2::uuid[] IS NULL OR m.project_id = ANY($2))
    AND m.created_at >= limits.start AND m.created_at < limits.stop GROUP BY 1
  UNION ALL
  SELECT (coalesce(m.occurred_at, m.said_at, m.created_at) AT TIME ZONE $3)::date, 'occurred',
    count(*)::int
  FROM memories m, limits WHERE m.tenant_id = $1 AND {current_memories("m")}
    AND ($2::uuid[] IS NULL OR m.project_id = ANY($2))
    AND coalesce(m.occurred_at, m.said_at, m.created_at) >= limits.start
    AND coalesce(m.occurred_at, m.said_at, m.created_at) < limits.stop GROUP BY 1
  UNION ALL
  SELECT (m.due_at AT TIME ZONE $3)::date, 'due', count(*)::int
  FROM memories m, limits WHERE m.tenant_id = $1 AND {current_memories("m")}
    AND ($2::uuid[] IS NULL OR m.project_id = ANY($2))
    AND m.due_at >= limits.start AND m.due_at < limits.stop GROUP BY 1
)
SELECT days.day,
  coalesce(sum(number) FILTER (WHERE what = 'documents'), 0)::int AS documents,
  coalesce(sum(number) FILTER (WHERE what = 'memories'), 0)::int AS memories,
  coalesce(sum(number) FILTER (WHERE what = 'occurred'), 0)::int AS occurred,
  coalesce(sum(number) FILTER (WHERE what = 'due'), 0)::int AS due
FROM days LEFT JOIN counted ON counted.day = days.day GROUP BY days.day ORDER BY days.day
"""


async def days(
    tx: Tx, project_ids: Sequence[UUID] | None, until: date | None, number: int, zone: str
) -> list[dict[str, Any]]:
    ids = list(project_ids) if project_ids is not None else None
    rows = await tx.fetch(_DAYS, ids, zone, until, number)
    return [dict(row) for row in rows]


_TAGS = f"""
SELECT min(tag) AS tag, count(*) FILTER (WHERE is_document)::int AS documents,
  count(*) FILTER (WHERE NOT is_document)::int AS memories
FROM (
  SELECT unnest(d.tags) AS tag, true AS is_document FROM documents d
  WHERE d.tenant_id = $1 AND {current_documents("d")}
    AND ($2::uuid[] IS NULL OR d.project_id = ANY($2))
  UNION ALL
  SELECT unnest(m.tags), false FROM memories m
  WHERE m.tenant_id = $1 AND {current_memories("m")}
    AND ($2::uuid[] IS NULL OR m.project_id = ANY($2))
) used GROUP BY lower(tag) ORDER BY count(*) DESC, 1 LIMIT $3
"""


async def tags(tx: Tx, project_ids: Sequence[UUID] | None, limit: int) -> list[dict[str, Any]]:
    ids = list(project_ids) if project_ids is not None else None
    return [dict(row) for row in await tx.fetch(_TAGS, ids, limit)]


# Live updates


async def changes_since(tx: Tx, since: UUID, limit: int) -> list[dict[str, Any]]:
    """The newest events, oldest first; ids sort by the time they were created."""
    rows = await tx.fetch(
        "SELECT id, subject_kind AS kind, subject_id, type FROM events"
        " WHERE tenant_id = $1 AND id > $2 ORDER BY id DESC LIMIT $3",
        since,
        limit,
    )
    return [dict(row) for row in reversed(rows)]


@dataclass(frozen=True, slots=True)
class JobRow:
    id: UUID
    name: str
    status: str
    subject_id: UUID
    error: str | None
    title: str | None
    document_status: str | None
    chunks: int
    embedded: int
    import_stage: str | None
    import_share: float


_UNDER_WAY = """
SELECT j.id, j.name, j.status, j.subject_id, coalesce(d.error, j.error) AS error, d.title,
  d.status AS document_status, i.stage AS import_stage,
  coalesce(i.done::float / greatest(i.total, 1), 0)::float AS import_share,
  coalesce(c.chunks, 0) AS chunks, coalesce(c.embedded, 0) AS embedded
FROM jobs j
LEFT JOIN documents d ON d.tenant_id = $1 AND d.id = j.subject_id
LEFT JOIN imports i ON i.tenant_id = $1 AND i.id = j.subject_id
LEFT JOIN LATERAL (
  SELECT count(*)::int AS chunks, count(embedded_with)::int AS embedded
  FROM chunks WHERE tenant_id = $1 AND document_id = d.id AND d.status = 'embedding') c ON true
WHERE j.tenant_id = $1 AND (j.id = ANY($2) OR j.id IN (
  SELECT id FROM jobs WHERE tenant_id = $1 AND status IN ('processing', 'pending')
  ORDER BY status DESC, id LIMIT $4) OR j.id IN (
  SELECT id FROM jobs WHERE tenant_id = $1 AND id > $3 ORDER BY id DESC LIMIT $4))
ORDER BY j.id
"""


async def jobs_under_way(tx: Tx, known: Sequence[UUID], since: UUID, limit: int) -> list[JobRow]:
    """The first running or pending jobs, those created since, finished or not, and the known ones
    in their current state."""
    rows = await tx.fetch(_UNDER_WAY, list(known), since, limit)
    return [JobRow(**dict(row)) for row in rows]
