"""SQL of grants, their codes and their tokens."""

from collections.abc import Iterable
from datetime import timedelta
from uuid import UUID

from remem.core.db import Row, Tx
from remem.core.identity.grants.model import Ask, Grant, Standing
from remem.core.scope import Bound, Right, Scope

_GRANT = "id, tenant_id, user_id, client_id, scopes, resource, revoked_at"


def _rights(row: Row) -> frozenset[Right]:
    return frozenset(Right(scope) for scope in row["scopes"])


def _written(rights: Iterable[Right]) -> list[str]:
    return sorted(str(right) for right in rights)


# Grants


async def insert(tx: Tx, bound: Bound, id: UUID, ask: Ask) -> None:
    await tx.execute(
        "INSERT INTO oauth_grants (tenant_id, id, user_id, client_id, scopes, resource)"
        " VALUES ($1, $2, $3, $4, $5, $6)",
        bound.tenant_id,
        id,
        bound.user_id,
        ask.client_id,
        _written(ask.rights),
        ask.resource,
    )


async def lock(tx: Tx, bound: Bound, id: UUID) -> Grant | None:
    """Let one use of a grant's codes and tokens through at a time."""
    row = await tx.fetchrow(
        f"SELECT {_GRANT} FROM oauth_grants WHERE tenant_id = $1 AND id = $2 FOR UPDATE",
        bound.tenant_id,
        id,
    )
    if row is None:
        return None
    plain = {name: row[name] for name in row.keys() if name != "scopes"}  # noqa: SIM118
    return Grant(**plain, rights=_rights(row))


async def revoke(tx: Tx, bound: Bound, id: UUID) -> bool:
    revoked = await tx.fetchval(
        "UPDATE oauth_grants SET revoked_at = now(), updated_at = now()"
        " WHERE tenant_id = $1 AND id = $2 AND revoked_at IS NULL RETURNING true",
        bound.tenant_id,
        id,
    )
    return bool(revoked)


async def revoke_of_user(tx: Tx, bound: Bound) -> list[UUID]:
    rows = await tx.fetch(
        "UPDATE oauth_grants SET revoked_at = now(), updated_at = now()"
        " WHERE tenant_id = $1 AND user_id = $2 AND revoked_at IS NULL RETURNING id",
        bound.tenant_id,
        bound.user_id,
    )
    return [row["id"] for row in rows]


_STANDING = """
SELECT g.id, g.client_id, c.name AS client_name, c.uri AS client_uri, g.scopes, g.resource,
  g.created_at, g.last_used_at
FROM oauth_grants g JOIN oauth_clients c ON c.id = g.client_id
WHERE g.tenant_id = $1 AND g.user_id = $2 AND g.revoked_at IS NULL
  AND EXISTS (SELECT FROM oauth_tokens t WHERE t.tenant_id = g.tenant_id AND t.grant_id = g.id
    AND t.expires_at > now() AND t.dropped_at IS NULL)
"""


async def list_standing(tx: Tx, scope: Scope) -> list[Standing]:
    rows = await tx.fetch(f"{_STANDING} ORDER BY g.id", scope.tenant_id, scope.user_id)
    return [_standing(row) for row in rows]


async def find_standing(tx: Tx, scope: Scope, id: UUID) -> Standing | None:
    row = await tx.fetchrow(f"{_STANDING} AND g.id = $3", scope.tenant_id, scope.user_id, id)
    return _standing(row) if row else None


def _standing(row: Row) -> Standing:
    plain = {name: row[name] for name in row.keys() if name != "scopes"}  # noqa: SIM118
    return Standing(**plain, rights=_rights(row))


async def find_holder(tx: Tx, bound: Bound, id: UUID) -> Row | None:
    """Whose grant it is, and the role they have today."""
    return await tx.fetchrow(
        "SELECT g.user_id, m.role,"
        " coalesce(g.last_used_at, '-infinity') < now() - interval '1 minute' AS is_stale"
        " FROM oauth_grants g JOIN members m USING (tenant_id, user_id)"
        " WHERE g.tenant_id = $1 AND g.id = $2 AND g.revoked_at IS NULL",
        bound.tenant_id,
        id,
    )


async def touch(tx: Tx, bound: Bound, id: UUID) -> None:
    await tx.execute("SET LOCAL synchronous_commit = off")
    await tx.execute(
        "UPDATE oauth_grants SET last_used_at = now() WHERE tenant_id = $1 AND id = $2",
        bound.tenant_id,
        id,
    )


# Codes


async def insert_code(
    tx: Tx, bound: Bound, id: UUID, grant_id: UUID, ask: Ask, lasts: timedelta
) -> None:
    await tx.execute(
        "INSERT INTO oauth_codes (tenant_id, id, grant_id, hash, redirect_uri, challenge,"
        " expires_at) VALUES ($1, $2, $3, $4, $5, $6, now() + $7::interval)",
        bound.tenant_id,
        id,
        grant_id,
        bound.secret,
        ask.redirect_uri,
        ask.challenge,
        lasts,
    )


async def find_code(tx: Tx, bound: Bound) -> Row | None:
    return await tx.fetchrow(
        "SELECT tenant_id, id, grant_id, redirect_uri, challenge, used_at,"
        " expires_at > now() AS is_living FROM oauth_codes WHERE hash = $1",
        bound.secret,
    )


async def spend_code(tx: Tx, bound: Bound, id: UUID) -> bool:
    """Whether this is its first use; the grant's lock lets only one ask at a time."""
    spent = await tx.fetchval(
        "UPDATE oauth_codes SET used_at = now(), updated_at = now()"
        " WHERE tenant_id = $1 AND id = $2 AND used_at IS NULL RETURNING true",
        bound.tenant_id,
        id,
    )
    return bool(spent)


# Tokens


async def insert_token(
    tx: Tx,
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
        _written(grant.rights),
        grant.resource,
        made_by,
        lasts,
    )


async def find_token(tx: Tx, bound: Bound) -> Row | None:
    return await tx.fetchrow(
        "SELECT tenant_id, id, grant_id, kind, scopes, resource, used_at, dropped_at,"
        " expires_at > now() AS is_living FROM oauth_tokens WHERE hash = $1",
        bound.secret,
    )


async def use_token(tx: Tx, bound: Bound, id: UUID) -> None:
    """Keep the first moment it was shown."""
    await tx.execute(
        "UPDATE oauth_tokens SET used_at = now(), updated_at = now()"
        " WHERE tenant_id = $1 AND id = $2 AND used_at IS NULL",
        bound.tenant_id,
        id,
    )


async def drop_token(tx: Tx, bound: Bound, id: UUID) -> None:
    await tx.execute(
        "UPDATE oauth_tokens SET dropped_at = now(), updated_at = now()"
        " WHERE tenant_id = $1 AND id = $2",
        bound.tenant_id,
        id,
    )


async def drop_unseen(tx: Tx, bound: Bound, made_by: UUID, within: timedelta) -> bool:
    """Delete the tokens of a refresh, if it is recent and none of them was used."""
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


# What is over


async def delete_past(tx: Tx, scope: Scope) -> None:
    """Tokens and codes well past their time, then grants that have neither any more.

    What was used stays until then, so that it is noticed when it is used again."""
    for table in ("oauth_tokens", "oauth_codes"):
        await tx.execute(
            f"DELETE FROM {table} WHERE tenant_id = $1 AND expires_at < now() - interval '1 day'",
            scope.tenant_id,
        )
    await tx.execute(
        "DELETE FROM oauth_grants g WHERE g.tenant_id = $1"
        " AND g.created_at < now() - interval '1 hour'"
        " AND NOT EXISTS (SELECT FROM oauth_tokens t WHERE t.tenant_id = $1 AND t.grant_id = g.id)"
        " AND NOT EXISTS (SELECT FROM oauth_codes c WHERE c.tenant_id = $1 AND c.grant_id = g.id)",
        scope.tenant_id,
    )
