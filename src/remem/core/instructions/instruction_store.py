"""SQL of standing instructions. They belong to one person, also in an organization."""

from uuid import UUID

from remem.core.instructions.model import StandingInstruction
from remem.core.time import new_id
from remem.core.transaction import Tx
from remem.core.unreadable import row_values

_SELECT = (
    "SELECT i.id, i.project_id, project_ref(p.slug, p.name, p.settings) AS project_ref,"
    " i.content, i.created_at, i.updated_at FROM standing_instructions i"
    " LEFT JOIN projects p ON p.tenant_id = $1 AND p.id = i.project_id"
    " WHERE i.tenant_id = $1 AND i.user_id = $2"
)
# Those of everywhere come first, then the oldest.
_ORDER = " ORDER BY i.project_id IS NOT NULL, project_ref, i.created_at, i.id"


async def list_all(tx: Tx) -> list[StandingInstruction]:
    rows = await tx.fetch(_SELECT + _ORDER, tx.scope.user_id)
    return [StandingInstruction(**row_values(row)) for row in rows]


async def applying(tx: Tx, project_id: UUID | None, limit: int) -> list[StandingInstruction]:
    """Those of everywhere and of this project."""
    rows = await tx.fetch(
        f"{_SELECT} AND (i.project_id IS NULL OR i.project_id = $3){_ORDER} LIMIT $4",
        tx.scope.user_id,
        project_id,
        limit,
    )
    return [StandingInstruction(**row_values(row)) for row in rows]


async def find(tx: Tx, id: UUID) -> StandingInstruction | None:
    row = await tx.fetchrow(f"{_SELECT} AND i.id = $3", tx.scope.user_id, id)
    return StandingInstruction(**row_values(row)) if row else None


async def find_content(tx: Tx, project_id: UUID | None, content: str) -> StandingInstruction | None:
    row = await tx.fetchrow(
        f"{_SELECT} AND i.project_id IS NOT DISTINCT FROM $3 AND i.content = $4 LIMIT 1",
        tx.scope.user_id,
        project_id,
        content,
    )
    return StandingInstruction(**row_values(row)) if row else None


async def lock(tx: Tx) -> None:
    """Let one transaction at a time add an instruction of this person, so that each counts all."""
    await tx.execute(
        "SELECT pg_advisory_xact_lock(hashtextextended('standing_instructions ' || $1::uuid::text"
        " || $2::uuid::text, 0))",
        tx.scope.user_id,
    )


async def most_applying(tx: Tx, project_id: UUID | None) -> int:
    """How many apply in this project; without one, in the project in which most do."""
    return await tx.fetchval(
        "SELECT (count(*) FILTER (WHERE project_id IS NULL) + coalesce((SELECT max(n) FROM"
        " (SELECT count(*) AS n FROM standing_instructions WHERE tenant_id = $1 AND user_id = $2"
        " AND project_id IS NOT NULL AND ($3::uuid IS NULL OR project_id = $3)"
        " GROUP BY project_id) counts), 0))::int"
        " FROM standing_instructions WHERE tenant_id = $1 AND user_id = $2",
        tx.scope.user_id,
        project_id,
    )


async def insert(tx: Tx, project_id: UUID | None, content: str) -> UUID:
    return await tx.fetchval(
        "INSERT INTO standing_instructions (tenant_id, id, user_id, project_id, content)"
        " VALUES ($1, $2, $3, $4, $5) RETURNING id",
        new_id(),
        tx.scope.user_id,
        project_id,
        content,
    )


async def update(tx: Tx, id: UUID, content: str) -> None:
    await tx.execute(
        "UPDATE standing_instructions SET content = $4, updated_at = now()"
        " WHERE tenant_id = $1 AND user_id = $2 AND id = $3",
        tx.scope.user_id,
        id,
        content,
    )


async def delete(tx: Tx, id: UUID) -> None:
    await tx.execute(
        "DELETE FROM standing_instructions WHERE tenant_id = $1 AND user_id = $2 AND id = $3",
        tx.scope.user_id,
        id,
    )
