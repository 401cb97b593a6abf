"""SQL of consents in progress."""

from datetime import datetime
from uuid import UUID

from remem.core.scope import Bound
from remem.core.transaction import Row, SystemTx, Tx


async def insert(
    tx: SystemTx, bound: Bound, id: UUID, provider: str, sealed: bytes, expires_at: datetime
) -> None:
    await tx.execute(
        "INSERT INTO connection_starts (tenant_id, id, user_id, provider, hash, sealed, expires_at)"
        " VALUES ($1, $2, $3, $4, $5, $6, $7)",
        bound.tenant_id,
        id,
        bound.user_id,
        provider,
        bound.secret,
        sealed,
        expires_at,
    )


_COLUMNS = "tenant_id, id, user_id, provider, sealed"


async def find(tx: SystemTx, bound: Bound, provider: str) -> Row | None:
    return await tx.fetchrow(
        f"SELECT {_COLUMNS} FROM connection_starts"
        " WHERE hash = $1 AND provider = $2 AND expires_at > now()",
        bound.secret,
        provider,
    )


async def find_own(tx: Tx, id: UUID) -> Row | None:
    """A consent of the caller."""
    return await tx.fetchrow(
        f"SELECT {_COLUMNS} FROM connection_starts"
        " WHERE tenant_id = $1 AND user_id = $2 AND id = $3 AND expires_at > now()",
        tx.scope.user_id,
        id,
    )


async def delete(tx: SystemTx, bound: Bound, id: UUID) -> bool:
    """Whether it still existed: of two concurrent uses only one succeeds."""
    return bool(
        await tx.fetchval(
            "DELETE FROM connection_starts WHERE tenant_id = $1 AND id = $2 RETURNING true",
            bound.tenant_id,
            id,
        )
    )


async def delete_expired(tx: Tx) -> None:
    await tx.execute("DELETE FROM connection_starts WHERE tenant_id = $1 AND expires_at < now()")
