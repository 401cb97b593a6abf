"""SQL of duplicates: pairs that may be the same, found in one pass over the texts."""

from uuid import UUID

from remem.core.current import current_documents, current_memories
from remem.core.transaction import Row, Tx

# Case, white space, quotation marks, emphasis and the last full stop make no difference. Signs
# inside do: -5 is not 5, and 1.5 is not 15.
_SAME = (
    "rtrim(btrim(regexp_replace(translate(lower({0}), '\"''‘’“”„«»*_#`', ''), '\\s+', ' ', 'g')),"
    " '.!…。！ ')"
)
_END_CHARS = 120
# Shorter beginnings are shared by documents that have nothing else in common.
_MIN_END_CHARS = 30

_MEMORIES = f"""
WITH texts AS (
  SELECT m.id, m.created_at, m.project_id, {_SAME.format("m.content")} AS same,
    lower(coalesce(m.speaker, '')) AS speaker, m.dates::text AS dates, m.occurred_at, m.due_at,
    m.valid_from, m.valid_until
  FROM memories m WHERE m.tenant_id = $1 AND {current_memories("m")}
), pairs AS (
  SELECT id AS copy_id, first_value(id) OVER (PARTITION BY project_id, same, speaker, dates,
    occurred_at, due_at, valid_from, valid_until ORDER BY created_at, id) AS kept_id FROM texts
)
SELECT p.copy_id, p.kept_id FROM pairs p WHERE p.copy_id <> p.kept_id
  -- Somebody said that these are two.
  AND NOT EXISTS (SELECT FROM consolidations k WHERE k.tenant_id = $1 AND k.action = 'merge'
    AND k.memory_id IN (p.copy_id, p.kept_id) AND k.undone_at IS NOT NULL)
ORDER BY p.copy_id LIMIT $2
"""

# Documents that begin or end alike are next to each other, ordered by their size.
_DOCUMENTS = f"""
WITH texts AS (
  SELECT d.id, d.created_at, d.project_id, octet_length(d.content) AS size, d.source,
    (SELECT left({_SAME.format(f"left(c.content, {3 * _END_CHARS})")}, {_END_CHARS}) FROM chunks c
     WHERE c.tenant_id = $1 AND c.document_id = d.id AND c.chunk_index = 0) AS head,
    (SELECT right({_SAME.format(f"right(c.content, {3 * _END_CHARS})")}, {_END_CHARS}) FROM chunks c
     WHERE c.tenant_id = $1 AND c.document_id = d.id ORDER BY c.chunk_index DESC LIMIT 1) AS tail
  FROM documents d WHERE d.tenant_id = $1 AND {current_documents("d")} AND d.status = 'done'
), ends AS (
  SELECT id, created_at, project_id, size, source, 'head' AS place, head AS text FROM texts
  UNION ALL SELECT id, created_at, project_id, size, source, 'tail', tail FROM texts
), neighbours AS (
  SELECT id, source, size, lag(id) OVER w AS other_id,
    lag(source) OVER w AS other_source, lag(size) OVER w AS other_size
  FROM ends WHERE length(text) >= {_MIN_END_CHARS}
  WINDOW w AS (PARTITION BY project_id, place, text ORDER BY size, id)
)
SELECT DISTINCT least(id, other_id) AS first_id, greatest(id, other_id) AS second_id
FROM neighbours WHERE other_size IS NOT NULL AND size - other_size <= size / 10
  -- Two files of a folder that is kept up to date are that folder's business.
  AND NOT (source LIKE 'connection:%' AND other_source LIKE 'connection:%')
ORDER BY second_id LIMIT $2
"""


async def same_memories(tx: Tx, limit: int) -> list[tuple[UUID, UUID]]:
    """Each copy, and the oldest memory that says the same."""
    rows = await tx.fetch(_MEMORIES, limit)
    return [(row["copy_id"], row["kept_id"]) for row in rows]


async def similar_documents(tx: Tx, limit: int) -> list[tuple[UUID, UUID]]:
    rows = await tx.fetch(_DOCUMENTS, limit)
    return [(row["first_id"], row["second_id"]) for row in rows]


async def texts(tx: Tx, table: str, ids: list[UUID], chars: int) -> list[Row]:
    """The texts of documents or memories, by whom they are kept up to date and when they came."""
    return await tx.fetch(
        f"SELECT id, coalesce(title, '') AS title, left(content, $3) AS content, created_at, source"
        f" FROM {table} WHERE tenant_id = $1 AND id = ANY($2)",
        ids,
        chars,
    )
