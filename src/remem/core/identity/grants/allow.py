"""A person lets a client in: a grant, and a code with which the client comes for its tokens."""

from dataclasses import replace
from uuid import UUID

from remem.core.db import Tx
from remem.core.errors import Forbidden, NotFound
from remem.core.events.record import record
from remem.core.identity import store as people
from remem.core.identity.clients import store as clients
from remem.core.identity.grants import store
from remem.core.identity.grants.model import CODE_LASTS, Ask
from remem.core.identity.home import refuse_lasting, require_reach
from remem.core.identity.model import RIGHTS_OF_ROLE, Tenant
from remem.core.identity.register import bind
from remem.core.identity.secrets import digest, new_token
from remem.core.ports import Ports
from remem.core.scope import Bound, Right, Scope
from remem.core.time import new_id


async def places_for(ports: Ports, scope: Scope) -> list[Tenant]:
    """Where the person may let a client in: here, or wherever they belong when they are at home."""
    async with ports.db.transaction(scope) as tx:
        mine = await people.tenants_of_user(tx, scope.bound)
    here = [tenant for tenant in mine if tenant.id == scope.tenant_id]
    at_home = any(tenant.kind == "user" for tenant in here)
    return here + [tenant for tenant in mine if at_home and tenant not in here]


async def allow(ports: Ports, scope: Scope, ask: Ask, tenant_id: UUID | None = None) -> str:
    """Make the grant, for no more than the person may do here and there, and return the code,
    which is kept only as its hash."""
    refuse_lasting(scope, "let a client in")
    code = new_token()
    there = replace(scope, tenant_id=tenant_id or scope.tenant_id)
    bound = Bound(there.tenant_id, there.user_id, digest(code))
    async with ports.db.transaction(scope) as tx:
        await require_reach(tx, scope, there.tenant_id)
        await bind(tx, bound)
        ask = replace(
            ask, rights=await _within_role(tx, bound, there.tenant_id, ask.rights & scope.rights)
        )
        id = new_id()
        await store.insert(tx, bound, id, ask)
        await store.insert_code(tx, bound, new_id(), id, ask, CODE_LASTS)
        await clients.touch(tx, bound, ask.client_id)
        await _record(tx, there, id, ask)
    return code


async def _within_role(
    tx: Tx, bound: Bound, tenant_id: UUID, rights: frozenset[Right]
) -> frozenset[Right]:
    role = await people.role_of(tx, bound, tenant_id)
    if role is None:
        raise NotFound("organization", tenant_id)
    within = rights & RIGHTS_OF_ROLE[role]
    if not within:
        raise Forbidden(f"A {role} may not let a client do this; ask an owner or admin.")
    return within


async def _record(tx: Tx, there: Scope, id: UUID, ask: Ask) -> None:
    client = await clients.find(tx, there.bound, ask.client_id)
    details = {
        "client_id": str(ask.client_id),
        "client": client.name if client else "",
        "scopes": sorted(str(right) for right in ask.rights),
        "resource": ask.resource,
    }
    await record(tx, there, "grant", id, "create", details)
