"""Allow a client to act for a user: create a grant, and a code to exchange for tokens."""

from dataclasses import replace
from uuid import UUID

from remem.core.binding import bind
from remem.core.errors import Forbidden, NotFound
from remem.core.events.record import record
from remem.core.identity import identity_store
from remem.core.identity.clients import client_store
from remem.core.identity.credential_limits import refuse_expiring, require_access
from remem.core.identity.grants import grant_store
from remem.core.identity.grants.model import CODE_LIFETIME, GrantRequest
from remem.core.identity.model import RIGHTS_OF_ROLE, Tenant
from remem.core.identity.secrets import digest, new_token
from remem.core.ports import Ports
from remem.core.scope import Bound, Right, Scope
from remem.core.time import new_id
from remem.core.transaction import SystemTx, Tx


async def tenants_for_grant(ports: Ports, scope: Scope) -> list[Tenant]:
    """The tenants in which the user may grant access: the current one and, if that is the user's
    own space, every other tenant they belong to."""
    async with ports.db.transaction(scope) as tx:
        tenants = await identity_store.tenants_of_user(tx.system, scope.bound)
    current = [tenant for tenant in tenants if tenant.id == scope.tenant_id]
    is_own_space = any(tenant.kind == "user" for tenant in current)
    return current + [tenant for tenant in tenants if is_own_space and tenant not in current]


async def allow(
    ports: Ports, scope: Scope, request: GrantRequest, tenant_id: UUID | None = None
) -> str:
    """Create the grant, limited to the rights of the caller and of their role in the tenant, and
    return the code, which is stored only as its hash."""
    refuse_expiring(scope, "let a client in")
    code = new_token()
    tenant_scope = replace(scope, tenant_id=tenant_id or scope.tenant_id)
    bound = Bound(tenant_scope.tenant_id, tenant_scope.user_id, digest(code))
    async with ports.db.transaction(scope) as tx:
        await require_access(tx, tenant_scope.tenant_id)
        await bind(tx.system, bound)
        request = replace(
            request,
            rights=await _limit_to_role(
                tx.system, bound, tenant_scope.tenant_id, request.rights & scope.rights
            ),
        )
        id = new_id()
        await grant_store.insert(tx.system, bound, id, request)
        await grant_store.insert_code(tx.system, bound, new_id(), id, request, CODE_LIFETIME)
        await client_store.touch(tx.system, request.client_id)
        await _record(tx.acting_for(tenant_scope), id, request)
    return code


async def _limit_to_role(
    tx: SystemTx, bound: Bound, tenant_id: UUID, rights: frozenset[Right]
) -> frozenset[Right]:
    role = await identity_store.role_of(tx, bound, tenant_id)
    if role is None:
        raise NotFound("organization", tenant_id)
    allowed = rights & RIGHTS_OF_ROLE[role]
    if not allowed:
        raise Forbidden(f"A {role} may not let a client do this; ask an owner or admin.")
    return allowed


async def _record(tx: Tx, id: UUID, request: GrantRequest) -> None:
    client = await client_store.find(tx.system, request.client_id)
    details = {
        "client_id": str(request.client_id),
        "client": client.name if client else "",
        "scopes": sorted(str(right) for right in request.rights),
        "resource": request.resource,
    }
    await record(tx, "grant", id, "create", details)
