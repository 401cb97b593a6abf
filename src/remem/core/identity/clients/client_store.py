"""SQL of clients. They belong to no tenant."""

from collections.abc import Sequence
from datetime import timedelta
from uuid import UUID

from remem.core.identity.clients.model import Client
from remem.core.transaction import Row, SystemTx

_CLIENT = "id, name, uri, redirect_uris, secret_hash, created_at"


def _client(row: Row) -> Client:
    return Client(
        id=row["id"],
        name=row["name"],
        uri=row["uri"],
        redirect_uris=tuple(row["redirect_uris"]),
        secret_hash=row["secret_hash"],
        created_at=row["created_at"],
    )


async def insert(
    tx: SystemTx,
    id: UUID,
    name: str,
    uri: str | None,
    redirect_uris: Sequence[str],
    secret_hash: str | None,
) -> Client:
    row = await tx.fetchrow(
        "INSERT INTO oauth_clients (id, name, uri, redirect_uris, secret_hash)"
        f" VALUES ($1, $2, $3, $4, $5) RETURNING {_CLIENT}",
        id,
        name,
        uri,
        list(redirect_uris),
        secret_hash,
    )
    return _client(row)


async def find(tx: SystemTx, id: UUID) -> Client | None:
    row = await tx.fetchrow(f"SELECT {_CLIENT} FROM oauth_clients WHERE id = $1", id)
    return _client(row) if row else None


async def touch(tx: SystemTx, id: UUID) -> None:
    await tx.execute("UPDATE oauth_clients SET used_at = now() WHERE id = $1", id)


async def delete_excess_unused(tx: SystemTx, keep: int) -> None:
    """Delete clients that were never granted access, except the newest `keep`."""
    await tx.execute(
        "DELETE FROM oauth_clients WHERE used_at IS NULL AND id IN (SELECT id FROM oauth_clients"
        " WHERE used_at IS NULL ORDER BY created_at DESC, id DESC OFFSET $1)",
        keep,
    )


async def delete_inactive(tx: SystemTx, unused: timedelta, idle: timedelta) -> int:
    """Delete clients that were never granted access, and clients not used for long; return how
    many."""
    status = await tx.execute(
        "DELETE FROM oauth_clients WHERE (used_at IS NULL AND created_at < now() - $1::interval)"
        " OR used_at < now() - $2::interval",
        unused,
        idle,
    )
    return int(status.split()[-1])
