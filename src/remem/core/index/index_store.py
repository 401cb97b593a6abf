"""SQL of the text index."""

from collections.abc import Mapping, Sequence
from uuid import UUID

from remem.core.db import use_custom_plans
from remem.core.filter_sql import allowed_ids
from remem.core.filters import Filters
from remem.core.index.kinds import CHUNK, MEMORY
from remem.core.index.policy import WORD_POLICY
from remem.core.transaction import Row, Tx

_K1, _B = WORD_POLICY.k1, WORD_POLICY.b

# These conditions select the database index, because the planner does not know how long a term's
# list is: the index over all projects has its terms in another collation than the one by project.
_IN_ALL = "p.term = asked.term"
_IN_PROJECT = 'p.term = asked.term COLLATE "POSIX" AND p.project_id = ANY({})'
_IN_ALL_OF_PROJECT = "p.term = asked.term AND (p.project_id = ANY({})) IS TRUE"

# The length of a term's posting list is its document frequency: no count has to be kept up to date,
# and concurrent saves do not wait for each other's common words.
_FREQUENCIES = """
SELECT term, (
  SELECT count(*) FROM (
    SELECT FROM postings p WHERE p.tenant_id = $1 AND p.owner_kind = ANY($2) AND %s LIMIT $5
  ) AS texts_with_it
) AS frequency, totals.*
FROM (
  SELECT coalesce(sum(texts) FILTER (WHERE meant), 0)::float8 AS texts,
    coalesce(sum(texts), 0)::float8 AS all_texts,
    coalesce(sum(texts) FILTER (WHERE meant AND owner_kind = 'chunk'), 0)::float8 AS chunks,
    coalesce(sum(terms) FILTER (WHERE meant AND owner_kind = 'chunk'), 0)::float8 AS chunk_terms,
    coalesce(sum(texts) FILTER (WHERE meant AND owner_kind = 'memory'), 0)::float8 AS memories,
    coalesce(sum(terms) FILTER (WHERE meant AND owner_kind = 'memory'), 0)::float8 AS memory_terms
  FROM text_totals, LATERAL (SELECT $4::uuid[] IS NULL OR project_id = ANY($4)) AS m (meant)
  WHERE tenant_id = $1 AND owner_kind = ANY($2)
) AS totals LEFT JOIN unnest($3::text[]) AS asked (term) ON true
"""
# Each kind has its own mean length: a memory does not score higher for being short.
_MATCH = f"""
WITH hits AS MATERIALIZED (
  SELECT owner_id, owner_kind, sum(weight * tf * {_K1 + 1}::float8
    / (tf + {_K1 * (1 - _B)}::float8 + {_K1 * _B}::float8 * length
      / CASE owner_kind WHEN 'chunk' THEN $5::float8 ELSE $6::float8 END)) AS score
  FROM unnest($3::text[], $4::float8[]) AS asked (term, weight) JOIN postings p
    ON p.tenant_id = $1 AND p.owner_kind = ANY($2) AND %s
  GROUP BY owner_id, owner_kind
)
SELECT owner_id, owner_kind FROM hits %s ORDER BY score DESC, owner_id DESC LIMIT $7
"""
# One row for each term, so that each text is looked up in each list. A single join would be planned
# to read every word of every text, which takes several times as long.
_COUNTS = """
SELECT counted.* FROM unnest($3::text[]) AS asked (term) CROSS JOIN LATERAL (
  SELECT term, array_agg(owner_id) AS owners, array_agg(tf) AS counts, array_agg(length) AS lengths
  FROM postings p WHERE p.tenant_id = $1 AND p.owner_kind = $2 AND p.term = asked.term
    AND p.owner_id = ANY($4)
  GROUP BY p.term
) AS counted
"""


async def insert(
    tx: Tx, kind: str, project_id: UUID, postings: Sequence[tuple[UUID, str, int, int]]
) -> None:
    """Add postings of (owner, term, term frequency, length of the text)."""
    owners, terms, frequencies, lengths = zip(*postings, strict=True)
    await tx.execute(
        "INSERT INTO postings (tenant_id, owner_kind, project_id, owner_id, term, tf, length)"
        " SELECT $1, $2, $3, * FROM unnest($4::uuid[], $5::text[], $6::smallint[], $7::int[])"
        " ON CONFLICT (tenant_id, owner_kind, term, owner_id)"
        " DO UPDATE SET tf = excluded.tf, length = excluded.length",
        kind,
        project_id,
        owners,
        terms,
        frequencies,
        lengths,
    )


async def insert_missing(
    tx: Tx, kind: str, project_id: UUID, postings: Sequence[tuple[UUID, str, int, int]]
) -> None:
    """Add those of the postings that do not exist."""
    owners, terms, frequencies, lengths = zip(*postings, strict=True)
    await tx.execute(
        "INSERT INTO postings (tenant_id, owner_kind, project_id, owner_id, term, tf, length)"
        " SELECT $1, $2, $3, * FROM unnest($4::uuid[], $5::text[], $6::smallint[], $7::int[])"
        " ON CONFLICT (tenant_id, owner_kind, term, owner_id) DO NOTHING",
        kind,
        project_id,
        owners,
        terms,
        frequencies,
        lengths,
    )


async def indexed(tx: Tx, owner_ids: Sequence[UUID]) -> set[UUID]:
    """The texts that are in the index."""
    rows = await tx.fetch(
        "SELECT id FROM unnest($2::uuid[]) AS asked (id) WHERE EXISTS ("
        "SELECT FROM postings p WHERE p.tenant_id = $1 AND p.owner_id = asked.id)",
        list(owner_ids),
    )
    return {row["id"] for row in rows}


async def delete(tx: Tx, owner_ids: Sequence[UUID]) -> tuple[int, int]:
    """Delete the postings of texts; return the number of texts and of their terms."""
    row = await tx.fetchrow(
        "WITH gone AS (DELETE FROM postings WHERE tenant_id = $1 AND owner_id = ANY($2)"
        " RETURNING owner_id, length), texts AS (SELECT DISTINCT owner_id, length FROM gone)"
        " SELECT count(*) AS texts, coalesce(sum(length), 0) AS terms FROM texts",
        list(owner_ids),
    )
    return row["texts"], row["terms"]


async def move(tx: Tx, owner_ids: Sequence[UUID], project_id: UUID) -> tuple[int, int]:
    """Move texts to another project; return the number of texts and of their terms."""
    row = await tx.fetchrow(
        "WITH moved AS (UPDATE postings SET project_id = $3 WHERE tenant_id = $1"
        " AND owner_id = ANY($2) RETURNING owner_id, length),"
        " texts AS (SELECT DISTINCT owner_id, length FROM moved)"
        " SELECT count(*) AS texts, coalesce(sum(length), 0) AS terms FROM texts",
        list(owner_ids),
        project_id,
    )
    return row["texts"], row["terms"]


async def delete_project(tx: Tx, project_id: UUID) -> None:
    await tx.execute("DELETE FROM postings WHERE tenant_id = $1 AND project_id = $2", project_id)


async def add_totals(tx: Tx, kind: str, project_id: UUID, texts: int, terms: int) -> None:
    await tx.execute(
        "INSERT INTO text_totals AS t (tenant_id, project_id, owner_kind, texts, terms)"
        " VALUES ($1, $2, $3, $4, $5) ON CONFLICT (tenant_id, project_id, owner_kind)"
        " DO UPDATE SET texts = t.texts + $4, terms = t.terms + $5",
        project_id,
        kind,
        texts,
        terms,
    )


async def frequencies(
    tx: Tx,
    kinds: Sequence[str],
    terms: Sequence[str],
    project_ids: Sequence[UUID] | None,
    limit: int,
) -> list[Row]:
    """The number of texts that have each term, counted up to `limit`, and the totals. Without
    terms, one row with the totals."""
    condition = _IN_ALL if project_ids is None else _IN_PROJECT.format("$4")
    values = (tx.scope.tenant_id, list(kinds), list(terms), _as_list(project_ids), limit)
    return await tx.system.fetch(_FREQUENCIES % condition, *values)


async def match(
    tx: Tx,
    weights: Mapping[str, float],
    mean_lengths: Mapping[str, float],
    project_ids: Sequence[UUID] | None,
    limit: int,
    filters: Filters,
    *,
    by_project: bool,
) -> dict[UUID, str]:
    """The texts with the best scores, best first, with the kind of each; only kinds that have a
    mean length. `by_project` reads the projects' own lists, which is right if they are a small part
    of all."""
    means = (mean_lengths.get(CHUNK, 1.0), mean_lengths.get(MEMORY, 1.0))
    parameters = (list(weights), list(weights.values()), *means)
    values: list[object] = [tx.scope.tenant_id, list(mean_lengths), *parameters, limit]
    term_condition, where = _IN_ALL, ""
    if project_ids is not None:
        values.append(list(project_ids))
        term_condition = (_IN_PROJECT if by_project else _IN_ALL_OF_PROJECT).format(
            f"${len(values)}"
        )
    if id_filter := allowed_ids(tx.scope.tenant_id, list(mean_lengths), filters):
        await use_custom_plans(tx)
        where = f"WHERE {id_filter.condition_sql('owner_id', len(values))}"
        values += id_filter.values
    rows = await tx.system.fetch(_MATCH % (term_condition, where), *values)
    return {row["owner_id"]: row["owner_kind"] for row in rows}


async def counts(tx: Tx, kind: str, terms: Sequence[str], owner_ids: Sequence[UUID]) -> list[Row]:
    """For each term in any of these texts, a row of the texts that have it, the term frequencies
    and the lengths of the texts."""
    return await tx.fetch(_COUNTS, kind, list(terms), list(owner_ids))


async def owners(
    tx: Tx, kind: str, terms: Sequence[str], project_id: UUID, limit: int
) -> dict[str, list[UUID]]:
    rows = await tx.fetch(
        "SELECT asked.term, ARRAY(SELECT owner_id FROM postings p WHERE p.tenant_id = $1"
        "  AND p.owner_kind = $2 AND p.term = asked.term AND p.project_id = $4"
        "  ORDER BY owner_id DESC LIMIT $5) AS ids FROM unnest($3::text[]) AS asked (term)",
        kind,
        list(terms),
        project_id,
        limit,
    )
    return {row["term"]: row["ids"] for row in rows}


# One index probe for each term: the next one in order that differs from the last.
_VOCABULARY = """
WITH RECURSIVE seen AS (
  (SELECT term FROM postings
   WHERE tenant_id = $1 AND owner_kind = $2 AND term >= $3 AND term < $4 ORDER BY term LIMIT 1)
  UNION ALL
  SELECT (SELECT p.term FROM postings p
          WHERE p.tenant_id = $1 AND p.owner_kind = $2 AND p.term > seen.term AND p.term < $4
          ORDER BY p.term LIMIT 1)
  FROM seen WHERE seen.term IS NOT NULL
)
SELECT term FROM seen WHERE term IS NOT NULL LIMIT $5
"""


async def vocabulary(tx: Tx, kind: str, prefix: str, limit: int) -> list[str]:
    """The terms that begin with the prefix, in order."""
    end = prefix[:-1] + chr(ord(prefix[-1]) + 1)
    rows = await tx.fetch(_VOCABULARY, kind, prefix, end, limit)
    return [row["term"] for row in rows]


def _as_list(ids: Sequence[UUID] | None) -> list[UUID] | None:
    return list(ids) if ids is not None else None
