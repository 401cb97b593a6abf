"""SQL of counting."""

from remem.core.current import current_documents, current_memories
from remem.core.db import Tx
from remem.core.scope import Scope

_READ = current_documents()
_SHOWN = current_memories()
_WAITING = (
    "status NOT IN ('done', 'failed') AND NOT EXISTS (SELECT FROM chunks c"
    " WHERE c.tenant_id = documents.tenant_id AND c.document_id = documents.id)"
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
   FROM documents WHERE tenant_id = $1 AND {_READ}) d,
  (SELECT count(*) AS memories, count(*) FILTER (WHERE {_WEEK}) AS memories_this_week,
     count(*) FILTER (WHERE embedded_with = $2) AS memories_embedded
   FROM memories WHERE tenant_id = $1 AND {_SHOWN}) m,
  (SELECT count(*) AS chunks, count(*) FILTER (WHERE c.embedded_with = $2) AS chunks_embedded
   FROM chunks c JOIN documents d ON d.tenant_id = $1 AND d.id = c.document_id
   WHERE c.tenant_id = $1 AND {_READ}) c,
  (SELECT coalesce(sum(octet_length(content)), 0) AS bytes FROM (
     SELECT content FROM documents WHERE tenant_id = $1
     UNION ALL SELECT content FROM memories WHERE tenant_id = $1) t) a,
  (SELECT coalesce(sum(size), 0) AS bytes FROM blobs
   WHERE tenant_id = $1 AND released_at IS NULL) b,
  (SELECT coalesce(sum(pg_column_size(vector)), 0) AS bytes FROM embeddings
   WHERE tenant_id = $1) v
"""


async def totals(tx: Tx, scope: Scope, model: str) -> dict[str, int]:
    return dict(await tx.fetchrow(_TOTALS, scope.tenant_id, model))


async def documents_by_status(tx: Tx, scope: Scope) -> dict[str, int]:
    rows = await tx.fetch(
        f"SELECT status, count(*)::int AS number FROM documents WHERE tenant_id = $1 AND {_READ}"
        " GROUP BY status ORDER BY status",
        scope.tenant_id,
    )
    return {row["status"]: row["number"] for row in rows}


async def jobs_by_status(tx: Tx, scope: Scope) -> dict[str, int]:
    rows = await tx.fetch(
        "SELECT status, count(*)::int AS number FROM jobs"
        " WHERE tenant_id = $1 AND status <> 'completed' GROUP BY status ORDER BY status",
        scope.tenant_id,
    )
    return {row["status"]: row["number"] for row in rows}
