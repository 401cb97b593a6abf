"""SQL of calendars. They belong to one person, also in an organization."""

from datetime import datetime
from uuid import UUID

from remem.core.calendars.model import Calendar
from remem.core.scope import Bound
from remem.core.time import new_id
from remem.core.transaction import Row, SystemTx, Tx
from remem.core.unreadable import row_values

_SELECT = (
    "SELECT c.id, c.name, project_ref(p.slug, p.name, p.settings) AS project_ref, c.expires_at,"
    " c.last_read_at, c.created_at FROM calendars c"
    " LEFT JOIN projects p ON p.tenant_id = $1 AND p.id = c.project_id"
    " WHERE c.tenant_id = $1 AND c.user_id = $2"
)


async def list_all(tx: Tx) -> list[Calendar]:
    rows = await tx.fetch(f"{_SELECT} ORDER BY c.created_at, c.id", tx.scope.user_id)
    return [Calendar(**row_values(row)) for row in rows]


async def find(tx: Tx, id: UUID) -> Calendar | None:
    row = await tx.fetchrow(f"{_SELECT} AND c.id = $3", tx.scope.user_id, id)
    return Calendar(**row_values(row)) if row else None


async def insert(tx: Tx, name: str, project_id: UUID | None, hash: str) -> UUID:
    return await tx.fetchval(
        "INSERT INTO calendars (tenant_id, id, user_id, project_id, name, hash, expires_at)"
        " VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING id",
        new_id(),
        tx.scope.user_id,
        project_id,
        name,
        hash,
        tx.scope.expires_at,
    )


async def delete(tx: Tx, id: UUID) -> bool:
    return bool(
        await tx.fetchval(
            "DELETE FROM calendars WHERE tenant_id = $1 AND user_id = $2 AND id = $3"
            " RETURNING true",
            tx.scope.user_id,
            id,
        )
    )


async def find_by_secret(tx: SystemTx, bound: Bound) -> Row | None:
    return await tx.fetchrow(
        "SELECT tenant_id, id, user_id, project_id, name, expires_at FROM calendars"
        " WHERE hash = $1 AND (expires_at IS NULL OR expires_at > now())",
        bound.secret,
    )


async def is_member(tx: Tx) -> bool:
    return await tx.fetchval(
        "SELECT EXISTS (SELECT FROM members WHERE tenant_id = $1 AND user_id = $2)",
        tx.scope.user_id,
    )


async def note_read(tx: Tx, id: UUID, moment: datetime) -> None:
    """Written once an hour at most."""
    await tx.execute(
        "UPDATE calendars SET last_read_at = $3::timestamptz WHERE tenant_id = $1 AND id = $2"
        " AND (last_read_at IS NULL OR last_read_at < $3::timestamptz - interval '1 hour')",
        id,
        moment,
    )
