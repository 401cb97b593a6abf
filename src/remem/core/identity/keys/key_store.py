"""SQL of API keys."""

from collections.abc import Sequence
from uuid import UUID

from remem.core.identity.model import Key, KeyRequest
from remem.core.scope import Bound, Right
from remem.core.transaction import Row, SystemTx, Tx

_KEY = "id, user_id, prefix, name, scopes, created_at, last_used_at, expires_at"


def _key(row: Row) -> Key:
    return Key(
        id=row["id"],
        user_id=row["user_id"],
        prefix=row["prefix"],
        name=row["name"],
        rights=frozenset(Right(scope) for scope in row["scopes"]),
        created_at=row["created_at"],
        last_used_at=row["last_used_at"],
        expires_at=row["expires_at"],
    )


async def insert_key(
    tx: SystemTx, bound: Bound, id: UUID, request: KeyRequest, prefix: str, hash: str
) -> Key:
    row = await tx.fetchrow(
        "INSERT INTO api_keys (tenant_id, id, user_id, prefix, hash, name, scopes, expires_at)"
        f" VALUES ($1, $2, $3, $4, $5, $6, $7, $8) RETURNING {_KEY}",
        bound.tenant_id,
        id,
        bound.user_id,
        prefix,
        hash,
        request.name,
        sorted(str(right) for right in request.rights),
        request.expires_at,
    )
    return _key(row)


async def list_keys(tx: Tx) -> list[Key]:
    rows = await tx.fetch(
        f"SELECT {_KEY} FROM api_keys"
        " WHERE tenant_id = $1 AND user_id = $2 AND revoked_at IS NULL ORDER BY id",
        tx.scope.user_id,
    )
    return [_key(row) for row in rows]


async def revoke_key(tx: Tx, id: UUID) -> bool:
    revoked = await tx.fetchval(
        "UPDATE api_keys SET revoked_at = now(), updated_at = now()"
        " WHERE tenant_id = $1 AND user_id = $2 AND id = $3 AND revoked_at IS NULL RETURNING true",
        tx.scope.user_id,
        id,
    )
    return bool(revoked)


async def find_key_by_secret(tx: SystemTx, bound: Bound) -> Row | None:
    """Runs with every request: it binds itself and needs no transaction."""
    return await tx.fetchrow(
        "SELECT tenant_id, id, user_id, prefix, scopes, revoked_at, expires_at,"
        " expires_at <= now() AS is_expired, last_used_at FROM key_shown($1)",
        bound.secret,
    )


async def read_access_version(tx: SystemTx) -> UUID | None:
    """The version of all keys and suspensions; a trigger changes it with them."""
    return await tx.fetchval("SELECT version FROM access_version")


async def touch_keys(tx: Tx, ids: Sequence[UUID]) -> None:
    await tx.execute(
        "UPDATE api_keys SET last_used_at = now() WHERE tenant_id = $1 AND id = ANY($2)", list(ids)
    )
