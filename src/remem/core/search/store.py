"""SQL of search: candidates with their documents, under every filter."""

from collections.abc import Sequence
from uuid import UUID

from remem.core.db import Tx
from remem.core.scope import Scope
from remem.core.search.model import Candidate, Filters

_SELECT = (
    "SELECT c.id AS chunk_id, c.document_id, c.content, c.chunk_index, c.start_offset,"
    " c.end_offset, c.page, c.at_s, c.heading_path, d.title, d.summary, d.source_url,"
    " d.content_type, d.tags, d.project_id, d.created_at"
    " FROM chunks c JOIN documents d ON d.tenant_id = c.tenant_id AND d.id = c.document_id"
    " WHERE c.tenant_id = $1 AND d.is_latest AND (d.forget_after IS NULL OR d.forget_after > now())"
    " AND (cardinality($2::text[]) = 0 OR d.content_type = ANY($2))"
    " AND d.tags @> $3::text[]"
    " AND ($4::timestamptz IS NULL OR d.created_at >= $4)"
    " AND ($5::timestamptz IS NULL OR d.created_at < $5)"
)


def _values(scope: Scope, filters: Filters) -> tuple[object, ...]:
    return (
        scope.tenant_id,
        list(filters.content_types),
        list(filters.tags),
        filters.created_after,
        filters.created_before,
    )


async def candidates(
    tx: Tx, scope: Scope, filters: Filters, chunk_ids: Sequence[UUID]
) -> list[Candidate]:
    rows = await tx.fetch(
        f"{_SELECT} AND c.id = ANY($6)", *_values(scope, filters), list(chunk_ids)
    )
    return [Candidate(**dict(row)) for row in rows]


async def most_recent(
    tx: Tx, scope: Scope, filters: Filters, project_ids: Sequence[UUID] | None, limit: int
) -> list[Candidate]:
    rows = await tx.fetch(
        f"{_SELECT} AND c.chunk_index = 0 AND ($6::uuid[] IS NULL OR d.project_id = ANY($6))"
        " ORDER BY d.created_at DESC, d.id DESC LIMIT $7",
        *_values(scope, filters),
        list(project_ids) if project_ids is not None else None,
        limit,
    )
    return [Candidate(**dict(row)) for row in rows]
