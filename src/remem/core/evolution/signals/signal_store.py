"""SQL of signals."""

from collections.abc import Sequence
from uuid import UUID

from remem.core.evolution.arena.arena_store import UUID_PATTERN
from remem.core.time import new_id
from remem.core.transaction import Row, Tx


async def insert_signal(
    tx: Tx,
    project_id: UUID,
    type: str,
    subject_ids: Sequence[UUID],
    query: str | None,
    session_id: UUID | None,
) -> Row:
    return await tx.fetchrow(
        "INSERT INTO signals (tenant_id, id, project_id, user_id, type, subject_ids, query,"
        " session_id) VALUES ($1, $2, $3, $4, $5, $6, $7, $8) RETURNING id, type, subject_ids,"
        " project_id, session_id, query, created_at",
        new_id(),
        project_id,
        tx.scope.user_id,
        type,
        list(subject_ids),
        query,
        session_id,
    )


async def own_session(tx: Tx, id: UUID) -> UUID | None:
    """The project of one of the caller's sessions."""
    return await tx.fetchval(
        "SELECT project_id FROM sessions WHERE tenant_id = $1 AND id = $2 AND user_id = $3",
        id,
        tx.scope.user_id,
    )


async def list_signals(
    tx: Tx, projects: Sequence[UUID] | None, before: UUID | None, limit: int
) -> list[Row]:
    """Signals of the caller, what the answers in their sessions used, and everyone's feedback on
    memories; newest first. Queries and sessions of other users are not included."""
    return await tx.fetch(
        "SELECT * FROM (SELECT s.id, s.type, s.subject_ids, s.project_id, s.session_id, s.query,"
        "  'signal' AS source, s.created_at FROM signals s"
        "  WHERE s.tenant_id = $1 AND s.user_id = $2"
        " UNION ALL SELECT t.id, 'used', ARRAY(SELECT e::uuid FROM"
        f"  jsonb_array_elements_text(t.evidence -> 'used') e WHERE e ~ {UUID_PATTERN}),"
        "  s.project_id, s.id, NULL, 'turn', t.created_at FROM turns t JOIN sessions s"
        "  ON s.tenant_id = $1 AND s.id = t.session_id"
        "  WHERE t.tenant_id = $1 AND s.user_id = $2"
        "  AND jsonb_typeof(t.evidence -> 'used') = 'array'"
        "  AND jsonb_array_length(t.evidence -> 'used') > 0"
        " UNION ALL SELECT e.id, CASE e.data ->> 'type' WHEN 'helpful' THEN 'helpful'"
        "   ELSE 'not_helpful' END, ARRAY[e.subject_id], m.project_id, NULL, NULL, 'feedback',"
        "  e.created_at FROM events e JOIN memories m ON m.tenant_id = $1"
        "  AND m.id = e.subject_id WHERE e.tenant_id = $1 AND e.type = 'feedback') every"
        " WHERE ($3::uuid[] IS NULL OR project_id = ANY($3)) AND ($4::uuid IS NULL OR id < $4)"
        f" ORDER BY id DESC LIMIT {limit:d}",
        tx.scope.user_id,
        list(projects) if projects is not None else None,
        before,
    )
