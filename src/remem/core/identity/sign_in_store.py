"""SQL of signed-in browsers."""

from collections.abc import Sequence
from uuid import UUID

from remem.core.identity.model import (
    BrowserSession,
    NewBrowserSession,
)
from remem.core.scope import Bound
from remem.core.transaction import Row, SystemTx, Tx


async def insert_sign_in(tx: SystemTx, bound: Bound, id: UUID, session: NewBrowserSession) -> None:
    await tx.execute(
        "INSERT INTO sign_ins (tenant_id, id, user_id, hash, expires_at, address, key_expires_at,"
        " agent) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
        bound.tenant_id,
        id,
        bound.user_id,
        bound.secret,
        session.expires_at,
        session.address,
        session.key_expires_at,
        session.agent,
    )


async def has_signed_in_from(tx: SystemTx, bound: Bound, address: str) -> bool:
    return await tx.fetchval(
        "SELECT EXISTS (SELECT FROM sign_ins WHERE user_id = $1 AND address = $2"
        " AND expires_at > now())",
        bound.user_id,
        address,
    )


async def find_sign_in(tx: SystemTx, bound: Bound) -> Row | None:
    return await tx.fetchrow(
        "SELECT tenant_id, id, user_id, key_expires_at,"
        " coalesce(last_used_at, '-infinity') < now() - interval '1 minute' AS is_stale"
        " FROM sign_ins WHERE hash = $1 AND expires_at > now()",
        bound.secret,
    )


async def delete_sign_ins(tx: SystemTx, bound: Bound) -> None:
    """Delete the sign-in of the bound secret, or without one every sign-in of the user."""
    await tx.execute(
        "DELETE FROM sign_ins WHERE user_id = $1 AND ($2::text IS NULL OR hash = $2)",
        bound.user_id,
        bound.secret,
    )


async def delete_expired_sign_ins(tx: Tx) -> None:
    await tx.execute("DELETE FROM sign_ins WHERE tenant_id = $1 AND expires_at < now()")


async def touch_sign_ins(tx: Tx, ids: Sequence[UUID]) -> None:
    await tx.execute(
        "UPDATE sign_ins SET last_used_at = now() WHERE tenant_id = $1 AND id = ANY($2)", list(ids)
    )


async def list_sign_ins(tx: SystemTx, bound: Bound) -> list[BrowserSession]:
    """Every browser of the user in any tenant; the bound secret is that of the current one."""
    rows = await tx.fetch(
        "SELECT id, tenant_id, agent, created_at, last_used_at, expires_at,"
        " coalesce(hash = $2, false) AS is_current"
        " FROM sign_ins WHERE user_id = $1 AND expires_at > now() ORDER BY id DESC",
        bound.user_id,
        bound.secret,
    )
    return [BrowserSession(**dict(row)) for row in rows]


async def delete_sign_in(tx: SystemTx, bound: Bound, id: UUID) -> bool:
    deleted = await tx.fetchval(
        "DELETE FROM sign_ins WHERE user_id = $1 AND id = $2 RETURNING true", bound.user_id, id
    )
    return bool(deleted)
