"""Filters as SQL over documents, chunks and memories, for search and indexes in PostgreSQL."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from remem.core.current import current_documents, current_memories
from remem.core.filters import Filters
from remem.core.flags import flags_sql
from remem.core.language.times.queries import Window
from remem.core.text import has_tags_sql

CHUNK_ROWS = "FROM chunks c JOIN documents d ON d.tenant_id = $1 AND d.id = c.document_id"
_CURRENT_DOCUMENT = current_documents("d")
# A memory that only a document states disappears with it, even before the cleanup has run.
_FROM_MISSING_DOCUMENT = (
    "m.source = 'distil' AND m.evidence->'also' IS NULL"
    " AND m.context->>'review' IS DISTINCT FROM 'accepted'"
    " AND EXISTS (SELECT FROM documents d WHERE d.tenant_id = $1"
    f" AND d.id = m.document_id AND NOT ({_CURRENT_DOCUMENT}))"
)


@dataclass(frozen=True, slots=True)
class Filterable:
    """One kind of row that can be filtered. `conditions` are keyed by the name of a filter.
    `moments` are the columns of its time, the second for rows whose first is null: as separate
    conditions they can use an index."""

    rows: str
    id: str
    shown: str
    moments: tuple[str, str]
    conditions: Mapping[str, str]


FILTERABLE: Mapping[str, Filterable] = {
    "chunk": Filterable(
        rows=CHUNK_ROWS,
        id="c.id",
        shown=f"c.tenant_id = {{0}} AND {_CURRENT_DOCUMENT}",
        moments=("c.said_at", "d.created_at"),
        conditions={
            "content_types": "d.content_type = ANY({}::text[])",
            "tags": has_tags_sql("d.tags", "{}::text[]"),
            "flags": f"{flags_sql()} @> {{}}::text[]",
            "created_after": "d.created_at >= {}",
            "created_before": "d.created_at < {}",
            "metadata": "d.metadata @> {}::jsonb",
            "not_of_document": "c.document_id <> {}",
        },
    ),
    "memory": Filterable(
        rows="FROM memories m",
        id="m.id",
        shown=f"m.tenant_id = {{0}} AND {current_memories('m')} AND NOT ({_FROM_MISSING_DOCUMENT})",
        moments=("coalesce(m.occurred_at, m.said_at)", "m.created_at"),
        conditions={
            "content_types": "m.document_id IN (SELECT d.id FROM documents d"
            " WHERE d.tenant_id = $1 AND d.content_type = ANY({}::text[]))",
            "categories": "m.category = ANY({}::text[])",
            "tags": has_tags_sql("m.tags", "{}::text[]"),
            "flags": "m.document_id IN (SELECT d.id FROM documents d"
            f" WHERE d.tenant_id = $1 AND {flags_sql()} @> {{}}::text[])",
            "created_after": "m.created_at >= {}",
            "created_before": "m.created_at < {}",
            "metadata": "m.context @> {}::jsonb",
            "not_of_document": "m.document_id IS DISTINCT FROM {}",
        },
    ),
}


@dataclass(frozen=True, slots=True)
class IdFilter:
    """The ids that match the filters, as a query. `text` has placeholders {0}, {1}, …"""

    text: str
    values: tuple[object, ...]

    def sql(self, taken: int) -> str:
        """The query as part of a statement whose first `taken` parameters are in use."""
        return self.text.format(*(f"${taken + n}" for n in range(1, len(self.values) + 1)))

    def condition_sql(self, column: str, taken: int) -> str:
        """The condition that a column is one of the ids. The query is run once and hashed, never
        joined: rows that were just written are missing from the planner's statistics, and a join
        planned for a few rows takes minutes over thousands."""
        return f"({column} IN ({self.sql(taken)})) IS TRUE"


def allowed_ids(tenant_id: UUID, kinds: Sequence[str], filters: Filters) -> IdFilter | None:
    """The ids of these kinds that match the filters; None when there are no filters."""
    if not filters.any:
        return None
    values: list[object] = [tenant_id]
    rows = [_filtered_rows(FILTERABLE[kind], values, filters) for kind in kinds]
    return IdFilter(" UNION ALL ".join(rows), tuple(values))


def where_sql(kind: Filterable, values: list[object], filters: Filters) -> str:
    """The WHERE clause with placeholders; its parameters are appended to `values`, whose first is
    the tenant. Only filters that are set become conditions, because each condition makes the
    planner expect fewer rows."""
    conditions = [kind.shown]
    for name, condition in kind.conditions.items():
        if value := getattr(filters, name):
            conditions.append(condition.format(f"{{{len(values)}}}"))
            values.append(list(value) if isinstance(value, tuple) else value)
    return f"WHERE {' AND '.join(conditions)}"


def _filtered_rows(kind: Filterable, values: list[object], filters: Filters) -> str:
    sql = f"SELECT {kind.id} {kind.rows} {where_sql(kind, values, filters)}"
    if not filters.windows:
        return sql
    first, fallback = (_in_time(moment, filters.windows, len(values)) for moment in kind.moments)
    values += (end for window in filters.windows for end in window)
    return f"{sql} AND {first} UNION ALL {sql} AND {kind.moments[0]} IS NULL AND {fallback}"


def _in_time(moment: str, windows: Sequence[Window], taken: int) -> str:
    starts = range(taken, taken + 2 * len(windows), 2)
    conditions = (f"{moment} >= {{{n}}} AND {moment} < {{{n + 1}}}" for n in starts)
    return f"({' OR '.join(conditions)})"
