"""SQL of the check-up: each query reads the caller's tenant once, and returns a bounded page."""

from uuid import UUID

from remem.core.current import current_documents, current_memories, shown_memories
from remem.core.language.plain_secrets import (
    candidate_pattern,
    candidate_words,
    format_pattern,
)
from remem.core.transaction import Row, Tx

# A memory that nobody needed for so long.
UNUSED_DAYS = 90

_PAIRS = (
    "FROM links l JOIN memories a ON a.tenant_id = $1 AND a.id = l.from_id"
    " JOIN memories b ON b.tenant_id = $1 AND b.id = l.to_id"
    " WHERE l.tenant_id = $1 AND l.relation = 'contradicts' AND l.from_kind = 'memory'"
    " AND l.to_kind = 'memory' AND (l.valid_to IS NULL OR l.valid_to > now())"
    f" AND {current_memories('a')} AND {current_memories('b')}"
)
# The database empties `document_id` when the document goes.
_LOST = (
    f"FROM memories m WHERE m.tenant_id = $1 AND {current_memories('m')} AND m.source = 'distil'"
    " AND m.document_id IS NULL AND NOT EXISTS (SELECT FROM links l JOIN documents d"
    "  ON d.tenant_id = $1 AND d.id = l.to_id WHERE l.tenant_id = $1 AND l.from_kind = 'memory'"
    "  AND l.from_id = m.id AND l.to_kind = 'document' AND l.relation = 'derives')"
)
_UNUSED = (
    f"FROM memories m WHERE m.tenant_id = $1 AND {current_memories('m')} AND m.access_count = 0"
    " AND m.last_accessed_at IS NULL AND m.quality <> 'good'"
    " AND (m.due_at IS NULL OR m.due_at <= now())"
    f" AND greatest(m.created_at, m.stated_at) < now() - interval '{UNUSED_DAYS} days'"
)
# A text that the model refused is marked as embedded; embedding it again changes nothing.
_BARE_DOCUMENTS = (
    "FROM (SELECT c.document_id, count(*)::int AS parts FROM chunks c WHERE c.tenant_id = $1"
    "  AND (c.embedded_with = ANY($2)) IS NOT TRUE GROUP BY c.document_id) bare"
    " JOIN documents d ON d.tenant_id = $1 AND d.id = bare.document_id"
    f" WHERE {current_documents('d')} AND d.status = 'done'"
)
_BARE_MEMORIES = (
    f"FROM memories m WHERE m.tenant_id = $1 AND {shown_memories('m')}"
    " AND (m.embedded_with = ANY($2)) IS NOT TRUE"
)
_UNREAD = (
    f"FROM documents d WHERE d.tenant_id = $1 AND {current_documents('d')} AND d.status = 'done'"
    " AND d.metadata->>'language' IS NOT NULL AND d.metadata->>'language' <> ALL($2)"
)


async def count_contradictions(tx: Tx) -> int:
    return await tx.fetchval(f"SELECT count(*)::int {_PAIRS}")


async def contradictions(tx: Tx, after: UUID, limit: int) -> list[Row]:
    """Both memories of each pair, and when they were stated."""
    return await tx.fetch(
        "SELECT l.id, a.id AS a_id, a.content AS a_content,"
        " coalesce(a.stated_at, a.created_at) AS a_at, b.id AS b_id, b.content AS b_content,"
        f" coalesce(b.stated_at, b.created_at) AS b_at {_PAIRS} AND l.id > $2"
        " ORDER BY l.id LIMIT $3",
        after,
        limit,
    )


async def pair(tx: Tx, link_id: UUID) -> Row | None:
    """Two contradicting memories, and whether the first was stated later; None if they no longer
    contradict each other."""
    return await tx.fetchrow(
        "SELECT a.id AS first, b.id AS second, (coalesce(a.stated_at, a.created_at), a.id)"
        f"  > (coalesce(b.stated_at, b.created_at), b.id) AS first_is_later {_PAIRS} AND l.id = $2",
        link_id,
    )


async def count_lost(tx: Tx) -> int:
    return await tx.fetchval(f"SELECT count(*)::int {_LOST}")


async def lost(tx: Tx, after: UUID, limit: int) -> list[Row]:
    return await tx.fetch(_page_of_memories(_LOST), after, limit)


async def count_unused(tx: Tx) -> int:
    return await tx.fetchval(f"SELECT count(*)::int {_UNUSED}")


async def unused(tx: Tx, after: UUID, limit: int) -> list[Row]:
    return await tx.fetch(_page_of_memories(_UNUSED), after, limit)


def _page_of_memories(condition: str) -> str:
    return f"SELECT m.id, m.content, m.created_at {condition} AND m.id > $2 ORDER BY m.id LIMIT $3"


async def count_bare(tx: Tx, models: list[str]) -> int:
    return await tx.fetchval(
        f"SELECT (SELECT count(*) {_BARE_DOCUMENTS})::int"
        f" + (SELECT count(*) {_BARE_MEMORIES})::int",
        models,
    )


async def bare(tx: Tx, models: list[str], after: UUID, limit: int) -> list[Row]:
    return await tx.fetch(
        "SELECT * FROM (SELECT 'document' AS kind, d.id, d.title AS text, bare.parts, d.created_at"
        f" {_BARE_DOCUMENTS} AND d.id > $3 UNION ALL"
        f" SELECT 'memory', m.id, m.content, 1, m.created_at {_BARE_MEMORIES} AND m.id > $3) items"
        " ORDER BY id LIMIT $4",
        models,
        after,
        limit,
    )


async def count_unread(tx: Tx, languages: list[str]) -> int:
    return await tx.fetchval(f"SELECT count(*)::int {_UNREAD}", languages)


async def unread(tx: Tx, languages: list[str], after: UUID, limit: int) -> list[Row]:
    return await tx.fetch(
        f"SELECT d.id, d.title, d.metadata->>'language' AS language, d.created_at {_UNREAD}"
        " AND d.id > $3 ORDER BY d.id LIMIT $4",
        languages,
        after,
        limit,
    )


async def texts_like_secrets(tx: Tx, kind: str, after: UUID, limit: int, chars: int) -> list[Row]:
    """Current documents or memories that may contain a secret, in the order of their ids."""
    table, where = {
        "document": ("documents", current_documents("t")),
        "memory": ("memories", current_memories("t")),
    }[kind]
    return await tx.fetch(
        f"SELECT t.id, coalesce(t.title, '') AS title, left(t.content, $5) AS content,"
        f" t.created_at FROM {table} t WHERE t.tenant_id = $1 AND {where} AND t.id > $2"
        # PostgreSQL prepares the large pattern for each row again, which costs more than a search
        # for each word in a short text.
        " AND CASE WHEN octet_length(t.content) < 400"
        " THEN lower(t.content) LIKE ANY($6) OR t.content ~ $7 ELSE t.content ~* $3 END"
        " ORDER BY t.id LIMIT $4",
        after,
        candidate_pattern(),
        limit,
        chars,
        [f"%{word}%" for word in candidate_words()],
        format_pattern(),
    )


async def agent_days(tx: Tx, days: int) -> list[Row]:
    """On which days each assistant of the caller saved sessions, in the last days."""
    return await tx.fetch(
        "SELECT s.agent, array_agg(DISTINCT s.updated_at::date) AS days, max(s.updated_at) AS last"
        " FROM sessions s WHERE s.tenant_id = $1 AND s.user_id = $2 AND s.agent IS NOT NULL"
        " AND s.updated_at > now() - make_interval(days => $3) GROUP BY s.agent ORDER BY s.agent",
        tx.scope.user_id,
        days,
    )


async def stopped_connections(tx: Tx) -> list[Row]:
    """Connections of the caller that synced before and have not for days, unless paused."""
    return await tx.fetch(
        "SELECT c.id, c.provider, c.account, c.status, c.error, c.last_synced_at"
        " FROM connections c WHERE c.tenant_id = $1 AND c.user_id = $2"
        " AND c.last_synced_at IS NOT NULL"
        " AND c.status IN ('active', 'failing', 'needs_auth') AND c.last_synced_at < now()"
        "  - greatest(interval '2 days', make_interval(secs => 3 * c.interval_s))"
        " ORDER BY c.id",
        tx.scope.user_id,
    )
