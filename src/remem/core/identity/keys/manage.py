"""API keys: create, list, revoke."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime, timedelta
from uuid import UUID

from remem.core.errors import Forbidden, Invalid, NotFound
from remem.core.events.record import record
from remem.core.identity import identity_store
from remem.core.identity.credential_limits import require_access
from remem.core.identity.keys import key_store
from remem.core.identity.keys.key_cache import expire_cached_keys
from remem.core.identity.model import RIGHTS_OF_ROLE, Key, KeyRequest, NewKey
from remem.core.identity.secrets import digest, new_key, visible_prefix
from remem.core.ports import Ports
from remem.core.scope import Bound, Right, Scope
from remem.core.time import iso, new_id, now
from remem.core.transaction import SystemTx, Tx
from remem.core.validate import check_text

NAME_LIMIT = 100
MAX_KEY_DAYS = 3_650
MAX_KEY_LIFETIME = timedelta(days=MAX_KEY_DAYS)


async def create_key(
    ports: Ports,
    scope: Scope,
    name: str,
    rights: Iterable[Right],
    tenant_id: UUID | None = None,
    expires_at: datetime | None = None,
) -> NewKey:
    """Create a key for the caller, in this tenant or another they belong to. It has no more rights
    than the credential it is created with, and expires no later."""
    request = _checked_request(scope, KeyRequest(name, frozenset(rights), expires_at))
    tenant_scope = Scope(
        tenant_id=tenant_id or scope.tenant_id,
        user_id=scope.user_id,
        actor=scope.actor,
        request_id=scope.request_id,
    )
    async with ports.db.transaction(tenant_scope) as tx:
        await require_access(tx.acting_for(scope), tenant_scope.tenant_id)
        await _refuse_rights_above_role(tx, request.rights)
        created = await create_key_in(tx.system, tenant_scope.bound, request)
        await record(tx, "api_key", created.key.id, "create")
        return created


def _checked_request(scope: Scope, request: KeyRequest) -> KeyRequest:
    name = request.name.strip()
    check_text("name", name, NAME_LIMIT, least=1)
    if excess := request.rights - scope.rights:
        raise Forbidden(
            f"This credential lacks the scopes {', '.join(sorted(excess))}, so it cannot make a key"
            " with them; ask for less, or use a credential that has them.",
            code="scope_missing",
        )
    return replace(request, name=name, expires_at=_checked_expiry(scope, request.expires_at))


def _checked_expiry(scope: Scope, expires_at: datetime | None) -> datetime | None:
    if expires_at and expires_at <= now():
        raise Invalid("expires_at", "is in the past; send a future time")
    if expires_at and expires_at > now() + MAX_KEY_LIFETIME:
        raise Invalid(
            "expires_at", f"is too far in the future; use at most {MAX_KEY_LIFETIME.days:,} days"
        )
    if scope.expires_at is None or expires_at is None:
        return expires_at or scope.expires_at
    if expires_at > scope.expires_at:
        raise Invalid("expires_at", f"use {iso(scope.expires_at)} or earlier, when this key ends")
    return expires_at


def end_after(days: int) -> datetime:
    return now() + timedelta(days=days)


async def _refuse_rights_above_role(tx: Tx, rights: frozenset[Right]) -> None:
    role = await identity_store.role_of(tx.system, tx.scope.bound, tx.scope.tenant_id)
    if role is None:
        raise NotFound("organization", tx.scope.tenant_id)
    if excess := rights - RIGHTS_OF_ROLE[role]:
        raise Forbidden(f"A {role} may not make a key with: {', '.join(sorted(excess))}.")


async def create_key_in(tx: SystemTx, bound: Bound, request: KeyRequest) -> NewKey:
    raw = new_key()
    key = await key_store.insert_key(tx, bound, new_id(), request, visible_prefix(raw), digest(raw))
    return NewKey(key=key, raw=raw)


async def list_keys(ports: Ports, scope: Scope) -> list[Key]:
    async with ports.db.transaction(scope) as tx:
        return await key_store.list_keys(tx)


async def revoke_key(ports: Ports, scope: Scope, id: UUID) -> None:
    async with ports.db.transaction(scope) as tx:
        if not await key_store.revoke_key(tx, id):
            raise NotFound("API key", id)
        await record(tx, "api_key", id, "revoke")
    await expire_cached_keys(ports)
