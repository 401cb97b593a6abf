"""SQL of links that sign a browser in."""

from datetime import datetime
from uuid import UUID

from remem.core.scope import Bound
from remem.core.transaction import Row, SystemTx, Tx


async def insert_link(tx: SystemTx, bound: Bound, id: UUID, expires_at: datetime) -> None:
    await tx.execute(
        "INSERT INTO sign_in_links (tenant_id, id, user_id, hash, expires_at)"
        " VALUES ($1, $2, $3, $4, $5)",
        bound.tenant_id,
        id,
        bound.user_id,
        bound.secret,
        expires_at,
    )


async def find_link(tx: SystemTx, bound: Bound) -> Row | None:
    return await tx.fetchrow(
        "SELECT tenant_id, id, user_id FROM sign_in_links WHERE hash = $1 AND expires_at > now()",
        bound.secret,
    )


async def delete_link(tx: SystemTx, bound: Bound, id: UUID) -> bool:
    """Delete a link; False if it is already gone, so that only one of two concurrent uses wins."""
    deleted = await tx.fetchval(
        "DELETE FROM sign_in_links WHERE tenant_id = $1 AND id = $2 RETURNING true",
        bound.tenant_id,
        id,
    )
    return bool(deleted)


async def delete_links(tx: SystemTx, bound: Bound) -> None:
    """Delete the links of a user in one tenant."""
    await tx.execute(
        "DELETE FROM sign_in_links WHERE tenant_id = $1 AND user_id = $2",
        bound.tenant_id,
        bound.user_id,
    )


async def delete_expired_links(tx: Tx) -> None:
    await tx.execute("DELETE FROM sign_in_links WHERE tenant_id = $1 AND expires_at < now()")
