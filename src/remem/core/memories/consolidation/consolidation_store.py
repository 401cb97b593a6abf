"""SQL of consolidation."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from remem.core.current import undeleted_memories
from remem.core.memories.consolidation.model import Consolidation
from remem.core.time import new_id
from remem.core.transaction import Tx
from remem.core.unreadable import row_values

_SELECT = (
    "SELECT c.id, c.action, c.memory_id, c.into_id, c.before, c.cosine, c.undone_at, c.created_at,"
    " m.content, i.content AS into_content, m.project_id,"
    " project_ref(p.slug, p.name, p.settings) AS project_ref"
    " FROM consolidations c JOIN memories m ON m.tenant_id = $1 AND m.id = c.memory_id"
    " JOIN projects p ON p.tenant_id = $1 AND p.id = m.project_id"
    " LEFT JOIN memories i ON i.tenant_id = $1 AND i.id = c.into_id"
    f" WHERE c.tenant_id = $1 AND {undeleted_memories('m')}"
)


async def insert(
    tx: Tx,
    action: str,
    memory_id: UUID,
    before: dict[str, Any],
    into_id: UUID | None = None,
    cosine: float | None = None,
) -> UUID:
    id = new_id()
    await tx.execute(
        "INSERT INTO consolidations (tenant_id, id, action, memory_id, into_id, before, cosine)"
        " VALUES ($1, $2, $3, $4, $5, $6, $7)",
        id,
        action,
        memory_id,
        into_id,
        before,
        cosine,
    )
    return id


async def insert_all(
    tx: Tx, action: str, previous_values: Sequence[tuple[UUID, dict[str, Any]]]
) -> list[UUID]:
    """Insert the same action for several memories, each with its previous values."""
    ids = [new_id() for _ in previous_values]
    await tx.executemany(
        "INSERT INTO consolidations (tenant_id, id, action, memory_id, before)"
        " VALUES ($1, $2, $3, $4, $5)",
        [
            (id, action, memory_id, before)
            for id, (memory_id, before) in zip(ids, previous_values, strict=True)
        ],
    )
    return ids


async def set_confidence(tx: Tx, values: Mapping[UUID, float]) -> None:
    await tx.execute(
        "UPDATE memories m SET confidence = k.confidence, updated_at = now()"
        " FROM unnest($2::uuid[], $3::real[]) AS k (id, confidence)"
        " WHERE m.tenant_id = $1 AND m.id = k.id",
        list(values),
        list(values.values()),
    )


async def set_good(tx: Tx, ids: Sequence[UUID]) -> None:
    await tx.execute(
        "UPDATE memories SET quality = 'good', updated_at = now()"
        " WHERE tenant_id = $1 AND id = ANY($2)",
        list(ids),
    )


async def find(tx: Tx, id: UUID) -> Consolidation | None:
    row = await tx.fetchrow(f"{_SELECT} AND c.id = $2", id)
    return Consolidation(**row_values(row)) if row else None


async def last_merge(tx: Tx, memory_id: UUID) -> UUID | None:
    return await tx.fetchval(
        "SELECT id FROM consolidations WHERE tenant_id = $1 AND memory_id = $2"
        " AND action = 'merge' AND undone_at IS NULL ORDER BY id DESC LIMIT 1",
        memory_id,
    )


async def lock(tx: Tx, id: UUID) -> bool:
    """Lock an action; False when it does not exist or was undone."""
    return bool(
        await tx.fetchval(
            "SELECT true FROM consolidations WHERE tenant_id = $1 AND id = $2"
            " AND undone_at IS NULL FOR UPDATE",
            id,
        )
    )


async def mark_undone(tx: Tx, id: UUID) -> None:
    await tx.execute(
        "UPDATE consolidations SET undone_at = now() WHERE tenant_id = $1 AND id = $2", id
    )


async def page(
    tx: Tx, action: str | None, projects: list[UUID] | None, before: UUID | None, limit: int
) -> list[Consolidation]:
    """A page of actions, the newest first."""
    rows = await tx.fetch(
        f"{_SELECT} AND ($2::text IS NULL OR c.action = $2)"
        " AND ($3::uuid[] IS NULL OR m.project_id = ANY($3))"
        " AND ($4::uuid IS NULL OR c.id < $4) ORDER BY c.id DESC LIMIT $5",
        action,
        projects,
        before,
        limit,
    )
    return [Consolidation(**row_values(row)) for row in rows]


async def restore_columns(tx: Tx, id: UUID, values: dict[str, Any], updated_at: datetime) -> None:
    """Set columns of a memory to their previous values, including `updated_at`."""
    marks = "".join(f"{name} = ${position}, " for position, name in enumerate(values, start=4))
    await tx.execute(
        f"UPDATE memories SET {marks}updated_at = $3 WHERE tenant_id = $1 AND id = $2",
        id,
        updated_at,
        *values.values(),
    )


async def release(tx: Tx, into_id: UUID) -> None:
    """Clear references to a merged version, so that the actions stay when it is deleted."""
    await tx.execute(
        "UPDATE consolidations SET into_id = NULL WHERE tenant_id = $1 AND into_id = $2", into_id
    )


async def raw_stated_at(tx: Tx, id: UUID) -> datetime | None:
    """The column itself, which is null for memories older than it."""
    return await tx.fetchval("SELECT stated_at FROM memories WHERE tenant_id = $1 AND id = $2", id)


async def undone_of(tx: Tx, action: str, ids: Sequence[UUID]) -> set[UUID]:
    """Those memories of which somebody undid such an action."""
    rows = await tx.fetch(
        "SELECT DISTINCT memory_id FROM consolidations WHERE tenant_id = $1 AND action = $2"
        " AND memory_id = ANY($3) AND undone_at IS NOT NULL",
        action,
        list(ids),
    )
    return {row["memory_id"] for row in rows}
