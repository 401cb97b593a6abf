"""SQL of pairs of memories that contradict each other."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from remem.core.current import current_memories
from remem.core.transaction import Row, Tx

_PAIRS = (
    "FROM links l JOIN memories n ON n.tenant_id = $1 AND n.id = l.from_id"
    " JOIN memories o ON o.tenant_id = $1 AND o.id = l.to_id"
    " WHERE l.tenant_id = $1 AND l.relation = 'contradicts' AND l.from_kind = 'memory'"
    " AND l.to_kind = 'memory' AND l.created_at > $2"
    " AND ($3::uuid[] IS NULL OR n.project_id = ANY($3))"
    f" AND {current_memories('n')} AND {current_memories('o')}"
)


async def page(
    tx: Tx,
    since: datetime,
    project_ids: Sequence[UUID] | None,
    before: tuple[datetime, UUID] | None,
    limit: int,
) -> list[Row]:
    """Pairs whose link was made after `since`, newest first."""
    moment, id = before or (None, None)
    return await tx.fetch(
        f"SELECT l.id, l.from_id, l.to_id, l.confidence, l.created_at {_PAIRS}"
        " AND ($4::timestamptz IS NULL OR (l.created_at, l.id) < ($4, $5))"
        " ORDER BY l.created_at DESC, l.id DESC LIMIT $6",
        since,
        list(project_ids) if project_ids is not None else None,
        moment,
        id,
        limit,
    )


async def count(tx: Tx, since: datetime, project_ids: Sequence[UUID] | None) -> int:
    projects = list(project_ids) if project_ids is not None else None
    return await tx.fetchval(f"SELECT count(*)::int {_PAIRS}", since, projects)
