"""Turn a presented credential into the scope of its owner."""

from dataclasses import replace

from remem.core.errors import Unauthenticated
from remem.core.identity import store
from remem.core.identity.grants.recognise import recognise_token
from remem.core.identity.keys import store as key_store
from remem.core.identity.keys.known import (
    KnownKey,
    find_known,
    remember,
    version_to_remember,
)
from remem.core.identity.model import RIGHTS_OF_ROLE
from remem.core.identity.register import bind
from remem.core.identity.secrets import ACCESS_PREFIX, digest
from remem.core.identity.sign_ins import store as sign_ins
from remem.core.ports import Ports
from remem.core.scope import Bound, Right, Scope
from remem.core.time import iso, now


async def recognise_bearer(
    ports: Ports, raw: str, place: str, request_id: str | None = None
) -> Scope:
    """Authenticate a key, or a client's token. A token that is not for `place` is refused."""
    if raw.startswith(ACCESS_PREFIX):
        return await recognise_token(ports, raw, place, request_id)
    return await recognise_key(ports, raw, request_id)


async def recognise_key(ports: Ports, raw: str, request_id: str | None = None) -> Scope:
    secret = digest(raw)
    version = await version_to_remember(ports)
    known = await find_known(ports, secret, version) if version else None
    key = known or await _read_key(ports, secret)
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
    if version and key is not known:
        await remember(ports, secret, version, key)
    return scope


async def _read_key(ports: Ports, secret: str) -> KnownKey:
    async with ports.db.alone() as tx:
        row = await key_store.find_key_by_secret(tx, Bound(secret=secret))
    if row is None:
        raise Unauthenticated("This key is not known here; check it, or make another.")
    if row["revoked_at"]:
        raise Unauthenticated("This key was revoked; make a new one.", code="key_revoked")
    if row["is_expired"]:
        raise Unauthenticated(
            f"This key expired at {iso(row['expires_at'])}; make a new one.", code="key_expired"
        )
    return KnownKey(
        id=row["id"],
        tenant_id=row["tenant_id"],
        user_id=row["user_id"],
        prefix=row["prefix"],
        rights=frozenset(Right(scope) for scope in row["scopes"]),
        expires_at=row["expires_at"],
        noted_at=row["last_used_at"],
    )


async def recognise_sign_in(ports: Ports, token: str, request_id: str | None = None) -> Scope:
    bound = Bound(secret=digest(token))
    async with ports.db.transaction(bound) as tx:
        row = await sign_ins.find_sign_in(tx, bound)
        if row is None:
            raise Unauthenticated("You are signed out; sign in again.", code="signed_out")
        owner = Bound(tenant_id=row["tenant_id"], user_id=row["user_id"])
        await bind(tx, owner)
        role = await store.role_of(tx, owner, row["tenant_id"])
    scope = Scope(
        tenant_id=row["tenant_id"],
        user_id=row["user_id"],
        rights=RIGHTS_OF_ROLE.get(role or "", frozenset()),
        actor=f"user:{row['user_id']}",
        request_id=request_id,
        expires_at=row["key_expires_at"],
    )
    if row["is_stale"]:
        ports.access_log.note(sign_ins.touch_sign_ins, scope, [row["id"]])
    return scope
