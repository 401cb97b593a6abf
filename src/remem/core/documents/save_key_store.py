"""SQL of the keys that clients send with a save."""

from datetime import timedelta
from uuid import UUID

from remem.core.transaction import Tx


async def find(tx: Tx, key: str) -> UUID | None:
    """The document that the caller saved with this key."""
    return await tx.fetchval(
        "SELECT document_id FROM save_keys WHERE tenant_id = $1 AND user_id = $2 AND key = $3",
        tx.scope.user_id,
        key,
    )


async def insert(tx: Tx, key: str, document_id: UUID) -> bool:
    """False if the caller has saved something with this key already."""
    return bool(
        await tx.fetchval(
            "INSERT INTO save_keys (tenant_id, user_id, key, document_id) VALUES ($1, $2, $3, $4)"
            " ON CONFLICT DO NOTHING RETURNING true",
            tx.scope.user_id,
            key,
            document_id,
        )
    )


async def delete_older(tx: Tx, age: timedelta) -> None:
    await tx.execute(
        "DELETE FROM save_keys WHERE tenant_id = $1 AND user_id = $2 AND created_at < now() - $3"
        "::interval",
        tx.scope.user_id,
        age,
    )
