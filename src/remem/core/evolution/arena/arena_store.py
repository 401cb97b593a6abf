"""SQL of the arena: episodes, results, policies, and shared sums."""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from remem.core.current import active_memories, latest_documents, undeleted_memories
from remem.core.evolution.bandit import Tally
from remem.core.evolution.score import Score
from remem.core.time import new_id
from remem.core.transaction import Row, Tx

# Only the latest episodes count: older ones say little about how a project is used today.
MAX_EPISODES = 300
UUID_PATTERN = "'^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$'"


# Episodes


async def asked_in_sessions(tx: Tx, project_id: UUID, limit: int) -> list[Row]:
    """Questions asked in sessions with the ids that their answers used; those never measured first,
    then those measured longest ago."""
    return await tx.fetch(
        "SELECT a.id, u.content AS query, u.at, ARRAY(SELECT e::uuid FROM"
        f"  jsonb_array_elements_text(a.evidence -> 'used') e WHERE e ~ {UUID_PATTERN}) AS used"
        " FROM sessions s JOIN turns a ON a.tenant_id = $1 AND a.session_id = s.id"
        " CROSS JOIN LATERAL (SELECT content, at FROM turns u WHERE u.tenant_id = $1"
        "  AND u.session_id = s.id AND u.role = 'user' AND (u.at, u.id) < (a.at, a.id)"
        "  ORDER BY u.at DESC, u.id DESC LIMIT 1) u"
        " WHERE s.tenant_id = $1 AND s.project_id = $2 AND a.role <> 'user' AND u.content <> ''"
        " AND jsonb_typeof(a.evidence -> 'used') = 'array'"
        " AND jsonb_array_length(a.evidence -> 'used') > 0"
        " ORDER BY (SELECT max(r.created_at) FROM arena_results r WHERE r.tenant_id = $1"
        f"  AND r.episode_id = a.id) NULLS FIRST, a.id DESC LIMIT {limit:d}",
        project_id,
    )


async def signalled(tx: Tx, project_id: UUID, limit: int) -> list[Row]:
    """Queries with the ids that a signal reports as used, outside of sessions."""
    return await tx.fetch(
        "SELECT id, query, created_at AS at, subject_ids AS used FROM signals"
        " WHERE tenant_id = $1 AND project_id = $2 AND query IS NOT NULL"
        " AND type IN ('used', 'helpful')"
        " ORDER BY (SELECT max(r.created_at) FROM arena_results r WHERE r.tenant_id = $1"
        f"  AND r.episode_id = signals.id) NULLS FIRST, id DESC LIMIT {limit:d}",
        project_id,
    )


async def feedback(tx: Tx, project_id: UUID) -> tuple[set[UUID], set[UUID]]:
    """The ids rated helpful and those rated not helpful in a project, for any query."""
    rows = await tx.fetch(
        "SELECT DISTINCT ON (id) id, type FROM (SELECT unnest(subject_ids) AS id, type, created_at"
        "  FROM signals WHERE tenant_id = $1 AND project_id = $2"
        " UNION ALL SELECT id, CASE quality WHEN 'bad' THEN 'not_helpful' ELSE 'helpful' END,"
        "  updated_at FROM memories WHERE tenant_id = $1 AND project_id = $2 AND quality = 'bad')"
        " said ORDER BY id, created_at DESC",
        project_id,
    )
    rejected = {row["id"] for row in rows if row["type"] == "not_helpful"}
    return {row["id"] for row in rows} - rejected, rejected


async def resolve_used(tx: Tx, ids: Sequence[UUID]) -> dict[UUID, tuple[UUID, UUID | None]]:
    """The current item of each id, with its document: a memory is resolved to its current version,
    or to the one it was merged into. Deleted items are left out."""
    rows = await tx.fetch(
        "SELECT m.id, coalesce(i.id, c.id) AS now, coalesce(i.document_id, c.document_id) AS doc"
        " FROM memories m"
        " LEFT JOIN memories c ON c.tenant_id = $1 AND c.root_id = m.root_id"
        f"  AND {active_memories('c')} AND {undeleted_memories('c')}"
        " LEFT JOIN links l ON c.id IS NULL AND l.tenant_id = $1"
        "  AND l.from_kind = 'memory' AND l.from_id = m.id AND l.relation = 'merged_into'"
        " LEFT JOIN memories i ON i.tenant_id = $1 AND i.id = l.to_id"
        f"  AND {active_memories('i')} AND {undeleted_memories('i')}"
        " WHERE m.tenant_id = $1 AND m.id = ANY($2) AND coalesce(i.id, c.id) IS NOT NULL"
        " UNION ALL SELECT c.id, c.id, c.document_id FROM chunks c JOIN documents d"
        f"  ON d.tenant_id = $1 AND d.id = c.document_id AND {latest_documents('d')}"
        "  WHERE c.tenant_id = $1 AND c.id = ANY($2)"
        " UNION ALL SELECT d.id, d.id, d.id FROM documents d WHERE d.tenant_id = $1"
        f"  AND d.id = ANY($2) AND {latest_documents('d')}",
        list(ids),
    )
    return {row["id"]: (row["now"], row["doc"]) for row in rows}


# Results


async def put_result(
    tx: Tx, project_id: UUID, episode_id: UUID, arm: str, score: Score, took_ms: float
) -> None:
    """Store a result; it replaces the previous one of the same arm and episode."""
    await tx.execute(
        "INSERT INTO arena_results (tenant_id, project_id, episode_id, arm, reward, recall,"
        " precision_at, document_recall, latency, diversity, took_ms)"
        " VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)"
        " ON CONFLICT (tenant_id, episode_id, arm) DO UPDATE SET project_id = $2, reward = $5,"
        " recall = $6, precision_at = $7, document_recall = $8, latency = $9, diversity = $10,"
        " took_ms = $11, created_at = excluded.created_at",
        project_id,
        episode_id,
        arm,
        score.reward,
        score.recall,
        score.precision,
        score.document_recall,
        score.latency,
        score.diversity,
        took_ms,
    )


async def results(tx: Tx, project_id: UUID | None) -> list[Row]:
    """The results of the latest episodes of a project, or of the tenant."""
    return await tx.fetch(
        "SELECT r.* FROM arena_results r JOIN (SELECT episode_id FROM arena_results"
        " WHERE tenant_id = $1 AND ($2::uuid IS NULL OR project_id = $2)"
        f" GROUP BY episode_id ORDER BY episode_id DESC LIMIT {MAX_EPISODES}) e USING (episode_id)"
        " WHERE r.tenant_id = $1",
        project_id,
    )


async def drop_old_results(tx: Tx, project_id: UUID) -> None:
    await tx.execute(
        "DELETE FROM arena_results WHERE tenant_id = $1 AND project_id = $2 AND episode_id NOT IN"
        " (SELECT episode_id FROM arena_results WHERE tenant_id = $1 AND project_id = $2"
        f"  GROUP BY episode_id ORDER BY episode_id DESC LIMIT {MAX_EPISODES})",
        project_id,
    )


# Policies


async def policies(tx: Tx, project_id: UUID | None) -> dict[UUID | None, Row]:
    """The policies of a project and of the tenant, which is keyed by None."""
    rows = await tx.fetch(
        "SELECT project_id, arm, is_pinned, reason, updated_at FROM policies"
        " WHERE tenant_id = $1 AND (project_id = $2 OR project_id IS NULL)",
        project_id,
    )
    return {row["project_id"]: row for row in rows}


async def put_policy(
    tx: Tx,
    project_id: UUID | None,
    arm: str,
    reason: Mapping[str, Any],
    *,
    pinned: bool = False,
) -> None:
    await tx.execute(
        "INSERT INTO policies (tenant_id, id, project_id, arm, reason, is_pinned)"
        " VALUES ($1, $2, $3, $4, $5, $6)"
        " ON CONFLICT (tenant_id, coalesce(project_id, tenant_id)) DO UPDATE SET arm = $4,"
        " reason = $5, is_pinned = $6, updated_at = excluded.updated_at",
        new_id(),
        project_id,
        arm,
        dict(reason),
        pinned,
    )


async def drop_policy(tx: Tx, project_id: UUID | None) -> None:
    await tx.execute(
        "DELETE FROM policies WHERE tenant_id = $1 AND project_id IS NOT DISTINCT FROM $2",
        project_id,
    )


# Shared sums over all tenants


async def shares(tx: Tx) -> dict[str, Tally]:
    """What the tenant has contributed to the sums so far."""
    rows = await tx.fetch(
        "SELECT arm, pulls, reward_sum, reward_squares FROM arm_shares WHERE tenant_id = $1"
        " FOR UPDATE"
    )
    return {row["arm"]: Tally(*tuple(row)[1:]) for row in rows}


async def put_share(tx: Tx, arm: str, tally: Tally) -> None:
    await tx.execute(
        "INSERT INTO arm_shares (tenant_id, arm, pulls, reward_sum, reward_squares)"
        " VALUES ($1, $2, $3, $4, $5) ON CONFLICT (tenant_id, arm) DO UPDATE"
        " SET pulls = $3, reward_sum = $4, reward_squares = $5",
        arm,
        tally.pulls,
        tally.reward_sum,
        tally.reward_squares,
    )


async def add_to_global(tx: Tx, arm: str, added: Tally, *, new: bool) -> None:
    """Add three sums and a count, and nothing else, to a row that belongs to no tenant."""
    await tx.system.execute(
        "INSERT INTO global_arms (arm, tenants, pulls, reward_sum, reward_squares)"
        " VALUES ($1, $2, $3, $4, $5) ON CONFLICT (arm) DO UPDATE"
        " SET tenants = global_arms.tenants + $2, pulls = global_arms.pulls + $3,"
        " reward_sum = global_arms.reward_sum + $4,"
        " reward_squares = global_arms.reward_squares + $5",
        arm,
        int(new),
        added.pulls,
        added.reward_sum,
        added.reward_squares,
    )


async def global_arms(tx: Tx) -> dict[str, tuple[int, Tally]]:
    """The number of contributing tenants and the sums, by arm."""
    rows = await tx.system.fetch(
        "SELECT arm, tenants, pulls, reward_sum, reward_squares FROM global_arms"
    )
    return {row["arm"]: (row["tenants"], Tally(*tuple(row)[2:])) for row in rows}


async def projects_to_try(tx: Tx, limit: int) -> list[tuple[UUID, str]]:
    """Projects with sessions or signals, those tried longest ago first."""
    rows = await tx.fetch(
        "SELECT p.id, project_ref(p.slug, p.name, p.settings) AS ref FROM projects p"
        " WHERE p.tenant_id = $1 AND p.archived_at IS NULL"
        " AND (EXISTS (SELECT FROM sessions s WHERE s.tenant_id = $1 AND s.project_id = p.id)"
        "  OR EXISTS (SELECT FROM signals s WHERE s.tenant_id = $1 AND s.project_id = p.id))"
        " ORDER BY (SELECT max(r.created_at) FROM arena_results r WHERE r.tenant_id = $1"
        f"  AND r.project_id = p.id) NULLS FIRST, p.id LIMIT {limit:d}"
    )
    return [(row["id"], row["ref"]) for row in rows]
