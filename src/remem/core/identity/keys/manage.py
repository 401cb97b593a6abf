"""API keys: make, list, revoke."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime, timedelta
from uuid import UUID

from remem.core.db import Tx
from remem.core.errors import Forbidden, Invalid, NotFound
from remem.core.events.record import record
from remem.core.identity import store
from remem.core.identity.home import require_reach
from remem.core.identity.keys import store as key_store
from remem.core.identity.keys.known import forget_keys
from remem.core.identity.model import RIGHTS_OF_ROLE, Key, KeyWish, NewKey
from remem.core.identity.secrets import digest, new_key, shown
from remem.core.ports import Ports
from remem.core.scope import Bound, Right, Scope
from remem.core.time import iso, new_id, now
from remem.core.validate import check_text

NAME_LIMIT = 100
DAYS_MOST = 3_650
LONGEST = timedelta(days=DAYS_MOST)


async def create_key(
    ports: Ports,
    scope: Scope,
    name: str,
    rights: Iterable[Right],
    tenant_id: UUID | None = None,
    expires_at: datetime | None = None,
) -> NewKey:
    """A key for the caller, in this tenant or another they belong to. It may do no more than what
    it is made with, and lasts no longer."""
    wish = _checked(scope, KeyWish(name, frozenset(rights), expires_at))
    there = Scope(
        tenant_id=tenant_id or scope.tenant_id,
        user_id=scope.user_id,
        actor=scope.actor,
        request_id=scope.request_id,
    )
    async with ports.db.transaction(there) as tx:
        await require_reach(tx, scope, there.tenant_id)
        await _refuse_more_than_role(tx, there, wish.rights)
        made = await create_key_in(tx, there.bound, wish)
        await record(tx, there, "api_key", made.key.id, "create")
        return made


def _checked(scope: Scope, wish: KeyWish) -> KeyWish:
    name = wish.name.strip()
    check_text("name", name, NAME_LIMIT, least=1)
    if excess := wish.rights - scope.rights:
        raise Forbidden(
            f"This credential lacks the scopes {', '.join(sorted(excess))}, so it cannot make a key"
            " with them; ask for less, or use a credential that has them.",
            code="scope_missing",
        )
    return replace(wish, name=name, expires_at=_checked_end(scope, wish.expires_at))


def _checked_end(scope: Scope, expires_at: datetime | None) -> datetime | None:
    if expires_at and expires_at <= now():
        raise Invalid("expires_at", "lies in the past; send a future time")
    if expires_at and expires_at > now() + LONGEST:
        raise Invalid("expires_at", f"lies too far ahead; use at most {LONGEST.days:,} days")
    if scope.expires_at is None or expires_at is None:
        return expires_at or scope.expires_at
    if expires_at > scope.expires_at:
        raise Invalid("expires_at", f"use {iso(scope.expires_at)} or earlier, when this key ends")
    return expires_at


def end_after(days: int) -> datetime:
    return now() + timedelta(days=days)


async def _refuse_more_than_role(tx: Tx, scope: Scope, rights: frozenset[Right]) -> None:
    role = await store.role_of(tx, scope.bound, scope.tenant_id)
    if role is None:
        raise NotFound("organization", scope.tenant_id)
    if excess := rights - RIGHTS_OF_ROLE[role]:
        raise Forbidden(f"A {role} may not make a key with: {', '.join(sorted(excess))}.")


async def create_key_in(tx: Tx, bound: Bound, wish: KeyWish) -> NewKey:
    raw = new_key()
    key = await key_store.insert_key(tx, bound, new_id(), wish, shown(raw), digest(raw))
    return NewKey(key=key, raw=raw)


async def list_keys(ports: Ports, scope: Scope) -> list[Key]:
    async with ports.db.transaction(scope) as tx:
        return await key_store.list_keys(tx, scope)


async def revoke_key(ports: Ports, scope: Scope, id: UUID) -> None:
    async with ports.db.transaction(scope) as tx:
        if not await key_store.revoke_key(tx, scope, id):
            raise NotFound("API key", id)
        await record(tx, scope, "api_key", id, "revoke")
    await forget_keys(ports)
