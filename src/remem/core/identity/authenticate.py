"""Turn a presented credential into the scope of its owner."""

from dataclasses import replace

from remem.core.binding import bind
from remem.core.errors import Unauthenticated
from remem.core.identity import identity_store, sign_in_store
from remem.core.identity.grants.authenticate import authenticate_token
from remem.core.identity.keys import key_store
from remem.core.identity.keys.key_cache import (
    CachedKey,
    cache_version,
    find_cached,
    store_cached,
)
from remem.core.identity.model import RIGHTS_OF_ROLE
from remem.core.identity.secrets import ACCESS_PREFIX, digest
from remem.core.ports import Ports
from remem.core.scope import Bound, Right, Scope
from remem.core.time import iso, now


async def authenticate_bearer(
    ports: Ports, raw: str, url: str, request_id: str | None = None
) -> Scope:
    """Authenticate a key or a client's token. The token must be for the requested URL."""
    if raw.startswith(ACCESS_PREFIX):
        return await authenticate_token(ports, raw, url, request_id)
    return await authenticate_key(ports, raw, request_id)


async def authenticate_key(ports: Ports, raw: str, request_id: str | None = None) -> Scope:
    secret = digest(raw)
    version = await cache_version(ports)
    cached = await find_cached(ports, secret, version) if version else None
    key = cached or await _read_key(ports, secret)
    scope = Scope(
        tenant_id=key.tenant_id,
        user_id=key.user_id,
        rights=key.rights,
        actor=f"key:{key.prefix}",
        request_id=request_id,
        expires_at=key.expires_at,
    )
    if not key.is_use_noted:
        ports.access_log.note(key_store.touch_keys, scope, [key.id])
        key = replace(key, noted_at=now())
    if version and key is not cached:
        await store_cached(ports, secret, version, key)
    return scope


async def _read_key(ports: Ports, secret: str) -> CachedKey:
    async with ports.db.unbound() as tx:
        row = await key_store.find_key_by_secret(tx, Bound(secret=secret))
    if row is None:
        raise Unauthenticated("This key is not known here; check it, or make another.")
    if row["revoked_at"]:
        raise Unauthenticated("This key was revoked; make a new one.", code="key_revoked")
    if row["is_expired"]:
        raise Unauthenticated(
            f"This key expired at {iso(row['expires_at'])}; make a new one.", code="key_expired"
        )
    return CachedKey(
        id=row["id"],
        tenant_id=row["tenant_id"],
        user_id=row["user_id"],
        prefix=row["prefix"],
        rights=frozenset(Right(scope) for scope in row["scopes"]),
        expires_at=row["expires_at"],
        noted_at=row["last_used_at"],
    )


async def authenticate_sign_in(ports: Ports, token: str, request_id: str | None = None) -> Scope:
    bound = Bound(secret=digest(token))
    async with ports.db.transaction(bound) as tx:
        row = await sign_in_store.find_sign_in(tx, bound)
        if row is None:
            raise Unauthenticated("You are signed out; sign in again.", code="signed_out")
        owner = Bound(tenant_id=row["tenant_id"], user_id=row["user_id"])
        await bind(tx, owner)
        role = await identity_store.role_of(tx, owner, row["tenant_id"])
    scope = Scope(
        tenant_id=row["tenant_id"],
        user_id=row["user_id"],
        rights=RIGHTS_OF_ROLE.get(role or "", frozenset()),
        actor=f"user:{row['user_id']}",
        request_id=request_id,
        expires_at=row["key_expires_at"],
    )
    if row["is_stale"]:
        ports.access_log.note(sign_in_store.touch_sign_ins, scope, [row["id"]])
    return scope
