"""API keys: make, list, revoke."""

from collections.abc import Iterable
from uuid import UUID

from remem.core.db import Tx
from remem.core.errors import Forbidden, NotFound
from remem.core.events.record import record
from remem.core.identity import store
from remem.core.identity.home import require_reach
from remem.core.identity.model import RIGHTS_OF_ROLE, Key, NewKey
from remem.core.identity.secrets import digest, new_key, shown
from remem.core.ports import Ports
from remem.core.scope import Bound, Right, Scope
from remem.core.time import new_id
from remem.core.validate import check_text

NAME_LIMIT = 100


async def create_key(
    ports: Ports, scope: Scope, name: str, rights: Iterable[Right], tenant_id: UUID | None = None
) -> NewKey:
    """A key for the caller, in this tenant or another they belong to."""
    name = name.strip()
    check_text("name", name, NAME_LIMIT, least=1)
    there = Scope(
        tenant_id=tenant_id or scope.tenant_id,
        user_id=scope.user_id,
        actor=scope.actor,
        request_id=scope.request_id,
    )
    async with ports.db.transaction(there) as tx:
        await require_reach(tx, scope, there.tenant_id)
        await _refuse_more_than_role(tx, there, frozenset(rights))
        made = await create_key_in(tx, there.bound, name, rights)
        await record(tx, there, "api_key", made.key.id, "create")
        return made


async def _refuse_more_than_role(tx: Tx, scope: Scope, rights: frozenset[Right]) -> None:
    role = await store.role_of(tx, scope.bound, scope.tenant_id)
    if role is None:
        raise NotFound("organization", scope.tenant_id)
    if excess := rights - RIGHTS_OF_ROLE[role]:
        raise Forbidden(f"A {role} may not make a key with: {', '.join(sorted(excess))}.")


async def create_key_in(tx: Tx, bound: Bound, name: str, rights: Iterable[Right]) -> NewKey:
    raw = new_key()
    key = await store.insert_key(tx, bound, new_id(), name, shown(raw), digest(raw), list(rights))
    return NewKey(key=key, raw=raw)


async def list_keys(ports: Ports, scope: Scope) -> list[Key]:
    async with ports.db.transaction(scope) as tx:
        return await store.list_keys(tx, scope)


async def revoke_key(ports: Ports, scope: Scope, id: UUID) -> None:
    async with ports.db.transaction(scope) as tx:
        if not await store.revoke_key(tx, scope, id):
            raise NotFound("API key", id)
        await record(tx, scope, "api_key", id, "revoke")
