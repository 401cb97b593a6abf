"""SQL of grants, their codes and their tokens."""

from collections.abc import Iterable
from datetime import timedelta
from uuid import UUID

from remem.core.identity.grants.model import ActiveGrant, Grant, GrantRequest
from remem.core.scope import Bound, Right
from remem.core.transaction import Row, SystemTx, Tx

_GRANT = "id, tenant_id, user_id, client_id, scopes, resource, revoked_at"


def _rights(row: Row) -> frozenset[Right]:
    return frozenset(Right(scope) for scope in row["scopes"])


def _scope_names(rights: Iterable[Right]) -> list[str]:
    return sorted(str(right) for right in rights)


# Grants


async def insert(tx: SystemTx, bound: Bound, id: UUID, request: GrantRequest) -> None:
    await tx.execute(
        "INSERT INTO oauth_grants (tenant_id, id, user_id, client_id, scopes, resource)"
        " VALUES ($1, $2, $3, $4, $5, $6)",
        bound.tenant_id,
        id,
        bound.user_id,
        request.client_id,
        _scope_names(request.rights),
        request.resource,
    )


async def lock(tx: SystemTx, bound: Bound, id: UUID) -> Grant | None:
    """Lock a grant, so that its codes and tokens are used one at a time."""
    row = await tx.fetchrow(
        f"SELECT {_GRANT} FROM oauth_grants WHERE tenant_id = $1 AND id = $2 FOR UPDATE",
        bound.tenant_id,
        id,
    )
    if row is None:
        return None
    columns = {name: row[name] for name in row.keys() if name != "scopes"}  # noqa: SIM118
    return Grant(**columns, rights=_rights(row))


async def revoke(tx: SystemTx, bound: Bound, id: UUID) -> bool:
    revoked = await tx.fetchval(
        "UPDATE oauth_grants SET revoked_at = now(), updated_at = now()"
        " WHERE tenant_id = $1 AND id = $2 AND revoked_at IS NULL RETURNING true",
        bound.tenant_id,
        id,
    )
    return bool(revoked)


async def revoke_of_user(tx: SystemTx, bound: Bound) -> list[UUID]:
    rows = await tx.fetch(
        "UPDATE oauth_grants SET revoked_at = now(), updated_at = now()"
        " WHERE tenant_id = $1 AND user_id = $2 AND revoked_at IS NULL RETURNING id",
        bound.tenant_id,
        bound.user_id,
    )
    return [row["id"] for row in rows]


_ACTIVE_GRANTS = """
SELECT g.id, g.client_id, c.name AS client_name, c.uri AS client_uri, g.scopes, g.resource,
  g.created_at, g.last_used_at
FROM oauth_grants g JOIN oauth_clients c ON c.id = g.client_id
WHERE g.tenant_id = $1 AND g.user_id = $2 AND g.revoked_at IS NULL
  AND EXISTS (SELECT FROM oauth_tokens t WHERE t.tenant_id = $1 AND t.grant_id = g.id
    AND t.expires_at > now() AND t.dropped_at IS NULL)
"""


async def list_active(tx: Tx) -> list[ActiveGrant]:
    rows = await tx.fetch(f"{_ACTIVE_GRANTS} ORDER BY g.id", tx.scope.user_id)
    return [_active_grant(row) for row in rows]


async def find_active(tx: Tx, id: UUID) -> ActiveGrant | None:
    row = await tx.fetchrow(f"{_ACTIVE_GRANTS} AND g.id = $3", tx.scope.user_id, id)
    return _active_grant(row) if row else None


def _active_grant(row: Row) -> ActiveGrant:
    columns = {name: row[name] for name in row.keys() if name != "scopes"}  # noqa: SIM118
    return ActiveGrant(**columns, rights=_rights(row))


async def find_holder(tx: SystemTx, bound: Bound, id: UUID) -> Row | None:
    """The user of a grant, and their current role."""
    return await tx.fetchrow(
        "SELECT g.user_id, m.role,"
        " coalesce(g.last_used_at, '-infinity') < now() - interval '1 minute' AS is_stale"
        " FROM oauth_grants g JOIN members m USING (tenant_id, user_id)"
        " WHERE g.tenant_id = $1 AND g.id = $2 AND g.revoked_at IS NULL",
        bound.tenant_id,
        id,
    )


async def touch(tx: SystemTx, bound: Bound, id: UUID) -> None:
    await tx.execute(
        "UPDATE oauth_grants SET last_used_at = now() WHERE tenant_id = $1 AND id = $2",
        bound.tenant_id,
        id,
    )


# Codes


async def insert_code(
    tx: SystemTx, bound: Bound, id: UUID, grant_id: UUID, request: GrantRequest, lasts: timedelta
) -> None:
    await tx.execute(
        "INSERT INTO oauth_codes (tenant_id, id, grant_id, hash, redirect_uri, challenge,"
        " expires_at) VALUES ($1, $2, $3, $4, $5, $6, now() + $7::interval)",
        bound.tenant_id,
        id,
        grant_id,
        bound.secret,
        request.redirect_uri,
        request.challenge,
        lasts,
    )


async def find_code(tx: SystemTx, bound: Bound) -> Row | None:
    return await tx.fetchrow(
        "SELECT tenant_id, id, grant_id, redirect_uri, challenge, used_at,"
        " expires_at > now() AS is_living FROM oauth_codes WHERE hash = $1",
        bound.secret,
    )


async def spend_code(tx: SystemTx, bound: Bound, id: UUID) -> bool:
    """Mark a code as used; False if it was already. The caller has locked the grant."""
    spent = await tx.fetchval(
        "UPDATE oauth_codes SET used_at = now(), updated_at = now()"
        " WHERE tenant_id = $1 AND id = $2 AND used_at IS NULL RETURNING true",
        bound.tenant_id,
        id,
    )
    return bool(spent)


# Tokens


async def insert_token(
    tx: SystemTx,
    bound: Bound,
    grant: Grant,
    kind: str,
    id: UUID,
    lasts: timedelta,
    made_by: UUID | None,
) -> None:
    await tx.execute(
        "INSERT INTO oauth_tokens (tenant_id, id, grant_id, kind, hash, scopes, resource, made_by,"
        " expires_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, now() + $9::interval)",
        grant.tenant_id,
        id,
        grant.id,
        kind,
        bound.secret,
        _scope_names(grant.rights),
        grant.resource,
        made_by,
        lasts,
    )


async def find_token(tx: SystemTx, bound: Bound) -> Row | None:
    return await tx.fetchrow(
        "SELECT tenant_id, id, grant_id, kind, scopes, resource, used_at, dropped_at,"
        " expires_at > now() AS is_living FROM oauth_tokens WHERE hash = $1",
        bound.secret,
    )


async def use_token(tx: SystemTx, bound: Bound, id: UUID) -> None:
    """Record the first use of a token."""
    await tx.execute(
        "UPDATE oauth_tokens SET used_at = now(), updated_at = now()"
        " WHERE tenant_id = $1 AND id = $2 AND used_at IS NULL",
        bound.tenant_id,
        id,
    )


async def drop_token(tx: SystemTx, bound: Bound, id: UUID) -> None:
    await tx.execute(
        "UPDATE oauth_tokens SET dropped_at = now(), updated_at = now()"
        " WHERE tenant_id = $1 AND id = $2",
        bound.tenant_id,
        id,
    )


async def drop_unused(tx: SystemTx, bound: Bound, made_by: UUID, within: timedelta) -> bool:
    """Invalidate the tokens of a refresh, if it is recent and none of them was used."""
    dropped = await tx.fetch(
        "UPDATE oauth_tokens SET dropped_at = now(), updated_at = now()"
        " WHERE tenant_id = $1 AND made_by = $2 AND dropped_at IS NULL"
        " AND EXISTS (SELECT FROM oauth_tokens WHERE tenant_id = $1 AND id = $2"
        "  AND used_at > now() - $3::interval)"
        " AND NOT EXISTS (SELECT FROM oauth_tokens WHERE tenant_id = $1 AND made_by = $2"
        "  AND used_at IS NOT NULL) RETURNING id",
        bound.tenant_id,
        made_by,
        within,
    )
    return bool(dropped)


# Expired tokens and codes


async def delete_expired(tx: Tx) -> None:
    """Delete tokens and codes that expired over a day ago, then grants without any.

    Used ones are kept until then, so that a second use is detected."""
    for table in ("oauth_tokens", "oauth_codes"):
        await tx.execute(
            f"DELETE FROM {table} WHERE tenant_id = $1 AND expires_at < now() - interval '1 day'"
        )
    await tx.execute(
        "DELETE FROM oauth_grants g WHERE g.tenant_id = $1"
        " AND g.created_at < now() - interval '1 hour'"
        " AND NOT EXISTS (SELECT FROM oauth_tokens t WHERE t.tenant_id = $1 AND t.grant_id = g.id)"
        " AND NOT EXISTS (SELECT FROM oauth_codes c WHERE c.tenant_id = $1 AND c.grant_id = g.id)"
    )
