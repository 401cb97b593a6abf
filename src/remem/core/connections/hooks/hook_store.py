"""SQL of webhooks."""

from uuid import UUID

from remem.core.scope import Bound
from remem.core.transaction import Row, SystemTx, Tx


async def put(tx: Tx, connection_id: UUID, hash: str, secret: bytes) -> None:
    await tx.execute(
        "INSERT INTO connection_hooks (tenant_id, connection_id, hash, secret)"
        " VALUES ($1, $2, $3, $4) ON CONFLICT (tenant_id, connection_id) DO UPDATE"
        " SET hash = excluded.hash, secret = excluded.secret, deliveries = '{}',"
        " updated_at = excluded.updated_at",
        connection_id,
        hash,
        secret,
    )


async def find(tx: SystemTx, bound: Bound) -> Row | None:
    return await tx.fetchrow(
        "SELECT tenant_id, connection_id, secret FROM connection_hooks WHERE hash = $1",
        bound.secret,
    )


async def lock_secrets(tx: Tx) -> list[tuple[UUID, bytes]]:
    """The sealed secrets, locked until the transaction ends."""
    rows = await tx.fetch(
        "SELECT connection_id, secret FROM connection_hooks WHERE tenant_id = $1"
        " ORDER BY connection_id FOR UPDATE"
    )
    return [(row["connection_id"], row["secret"]) for row in rows]


async def set_secret(tx: Tx, connection_id: UUID, secret: bytes) -> None:
    await tx.execute(
        "UPDATE connection_hooks SET secret = $3, updated_at = now()"
        " WHERE tenant_id = $1 AND connection_id = $2",
        connection_id,
        secret,
    )


async def record_delivery(tx: Tx, connection_id: UUID, delivery: str, limit: int) -> bool:
    """False for a known delivery; the last `limit` are stored."""
    return bool(
        await tx.fetchval(
            "UPDATE connection_hooks SET deliveries = (ARRAY[$3] || deliveries)[1:$4],"
            " updated_at = now() WHERE tenant_id = $1 AND connection_id = $2"
            " AND NOT $3 = ANY(deliveries) RETURNING true",
            connection_id,
            delivery,
            limit,
        )
    )
