"""SQL of upkeep: which memories were processed by a step, and which were not."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from remem.core.current import current_memories
from remem.core.transaction import Tx

# A memory decays when it was not accessed and not decayed for so many days.
DECAY_DAYS, DECAY_BY, DECAY_FLOOR = 60, 0.15, 0.1
PROMOTE_ACCESSES, PROMOTE_CONFIDENCE = 5, 0.7
DECAYS = (
    "m.access_count = 0 AND m.confidence > 0.1 AND greatest(m.created_at, m.stated_at,"
    f" m.last_accessed_at) < {{0}}::timestamptz - interval '{DECAY_DAYS} days'"
    " AND NOT EXISTS (SELECT FROM evolution_marks k WHERE k.tenant_id = $1"
    f"  AND k.memory_id = m.id AND k.step = 'decay' AND k.at > {{0}}::timestamptz"
    f"  - interval '{DECAY_DAYS} days')"
)
PROMOTES = (
    f"m.access_count >= {PROMOTE_ACCESSES} AND m.confidence >= {PROMOTE_CONFIDENCE}"
    " AND m.quality = 'unknown' AND NOT EXISTS (SELECT FROM evolution_marks k"
    "  WHERE k.tenant_id = $1 AND k.memory_id = m.id AND k.step = 'promote')"
)


async def without_step(tx: Tx, step: str, limit: int, after: UUID | None = None) -> list[UUID]:
    """Current memories that were not processed by a step, oldest first."""
    rows = await tx.fetch(
        f"SELECT m.id FROM memories m WHERE m.tenant_id = $1 AND {current_memories('m')}"
        " AND NOT EXISTS (SELECT FROM evolution_marks k WHERE k.tenant_id = $1"
        "  AND k.memory_id = m.id AND k.step = $2) AND ($3::uuid IS NULL OR m.id > $3)"
        f" ORDER BY m.id LIMIT {limit:d}",
        step,
        after,
    )
    return [row["id"] for row in rows]


async def not_compared(tx: Tx, project_id: UUID, models: Sequence[str], limit: int) -> list[UUID]:
    rows = await tx.fetch(
        f"SELECT m.id FROM memories m WHERE m.tenant_id = $1 AND m.project_id = $2"
        f" AND {current_memories('m')} AND m.embedded_with = ANY($3)"
        " AND NOT EXISTS (SELECT FROM evolution_marks k WHERE k.tenant_id = $1"
        f"  AND k.memory_id = m.id AND k.step = 'consolidation') ORDER BY m.id LIMIT {limit:d}",
        project_id,
        list(models),
    )
    return [row["id"] for row in rows]


async def to_decay(tx: Tx, project_id: UUID, moment: datetime, limit: int) -> list[UUID]:
    rows = await tx.fetch(
        f"SELECT m.id FROM memories m WHERE m.tenant_id = $1 AND m.project_id = $2"
        f" AND {current_memories('m')} AND {DECAYS.format('$3')} ORDER BY m.id LIMIT {limit:d}",
        project_id,
        moment,
    )
    return [row["id"] for row in rows]


async def to_promote(tx: Tx, project_id: UUID, limit: int) -> list[UUID]:
    rows = await tx.fetch(
        f"SELECT m.id FROM memories m WHERE m.tenant_id = $1 AND m.project_id = $2"
        f" AND {current_memories('m')} AND {PROMOTES} ORDER BY m.id LIMIT {limit:d}",
        project_id,
    )
    return [row["id"] for row in rows]


async def mark(tx: Tx, step: str, ids: Sequence[UUID], moment: datetime | None = None) -> None:
    at, values = ("$4", [moment]) if moment else ("now()", [])
    await tx.execute(
        "INSERT INTO evolution_marks (tenant_id, memory_id, step, at)"
        f" SELECT $1, id, $2, {at} FROM memories WHERE tenant_id = $1"
        " AND id = ANY($3) ON CONFLICT (tenant_id, memory_id, step) DO UPDATE SET at = excluded.at",
        step,
        list(ids),
        *values,
    )
