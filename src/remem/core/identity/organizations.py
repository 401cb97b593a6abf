"""Organizations and their members."""

from uuid import UUID

from remem.core.binding import bind
from remem.core.blobs.sweep import erase_all
from remem.core.db import retry_on_deadlock
from remem.core.errors import Conflict, Forbidden, Invalid, NotFound
from remem.core.events.record import record
from remem.core.identity import identity_store
from remem.core.identity.credential_limits import refuse_expiring, require_access
from remem.core.identity.keys.key_cache import expire_cached_keys
from remem.core.identity.model import Member, Role, Tenant
from remem.core.identity.register import checked_email, checked_name, create_tenant
from remem.core.ports import Ports
from remem.core.scope import Bound, Right, Scope
from remem.core.time import new_id
from remem.core.transaction import SystemTx, Tx


async def create_organization(ports: Ports, scope: Scope, name: str) -> Tenant:
    name = checked_name(name)
    if not name:
        raise Invalid("name", "give at least one character")
    bound = Bound(tenant_id=new_id(), user_id=scope.user_id)
    async with ports.db.transaction(bound) as tx:
        return await create_tenant(tx, bound, "org", name, scope.user_id)


async def list_organizations(ports: Ports, scope: Scope) -> list[Tenant]:
    async with ports.db.transaction(scope) as tx:
        return await identity_store.tenants_of_user(tx.system, scope.bound)


@retry_on_deadlock
async def delete_organization(ports: Ports, scope: Scope, tenant_id: UUID) -> None:
    async with ports.db.transaction(scope) as tx:
        bound, tenant = await _bind_organization(tx, tenant_id, {"owner"})
        if tenant.kind != "org":
            raise Conflict("Your own space goes only with your account.", code="own_space")
        await erase_all(ports, tx.system, bound)
        await identity_store.delete_tenant(tx.system, bound)
    await expire_cached_keys(ports)


async def list_members(ports: Ports, scope: Scope, tenant_id: UUID) -> list[Member]:
    async with ports.db.transaction(scope) as tx:
        bound, _ = await _bind_organization(tx, tenant_id)
        return await identity_store.list_members(tx.system, bound)


async def add_member(ports: Ports, scope: Scope, tenant_id: UUID, email: str, role: Role) -> Member:
    refuse_expiring(scope, "add a member")
    async with ports.db.transaction(scope) as tx:
        bound, tenant = await _bind_organization(tx, tenant_id, {"owner", "admin"})
        _refuse_owner_change(tenant, role)
        if tenant.kind != "org":
            raise Conflict("Your own space is yours alone; create an organization to share.")
        user = await identity_store.find_user_by_email(tx.system, checked_email(email))
        if user is None:
            raise NotFound("user", email)
        if not await identity_store.insert_member(tx.system, bound, new_id(), user.id, role):
            raise Conflict("This person is a member already.", code="already_member")
        await record(
            tx.acting_for(_scope_in(scope, tenant_id)), "member", user.id, "create", {"role": role}
        )
        return await _member(tx.system, bound, user.id)


async def change_role(
    ports: Ports, scope: Scope, tenant_id: UUID, user_id: UUID, role: Role
) -> Member:
    refuse_expiring(scope, "change what a member may do")
    async with ports.db.transaction(scope) as tx:
        bound, tenant = await _bind_organization(tx, tenant_id, {"owner", "admin"})
        current = await _member(tx.system, bound, user_id)
        _refuse_owner_change(tenant, current.role)
        _refuse_owner_change(tenant, role)
        await identity_store.set_role(tx.system, bound, user_id, role)
        if role == "member":
            await identity_store.strip_right(tx.system, bound, user_id, Right.ADMIN)
        await _require_owner(tx.system, bound)
        await record(
            tx.acting_for(_scope_in(scope, tenant_id)), "member", user_id, "update", {"role": role}
        )
        changed = await _member(tx.system, bound, user_id)
    if role == "member":
        await expire_cached_keys(ports)
    return changed


async def remove_member(ports: Ports, scope: Scope, tenant_id: UUID, user_id: UUID) -> None:
    """Remove a member; members may remove themselves."""
    async with ports.db.transaction(scope) as tx:
        allowed = None if user_id == scope.user_id else {"owner", "admin"}
        bound, tenant = await _bind_organization(tx, tenant_id, allowed)
        member = await _member(tx.system, bound, user_id)
        if user_id != scope.user_id:
            _refuse_owner_change(tenant, member.role)
        await identity_store.delete_member(tx.system, bound, user_id)
        await _require_owner(tx.system, bound)
        await record(tx.acting_for(_scope_in(scope, tenant_id)), "member", user_id, "delete")
    await expire_cached_keys(ports)


async def _bind_organization(
    tx: Tx, tenant_id: UUID, roles: set[str] | None = None
) -> tuple[Bound, Tenant]:
    """Bind the transaction to an organization of the caller, who needs one of the roles there."""
    tenants = await identity_store.tenants_of_user(tx.system, tx.scope.bound)
    tenant = next((tenant for tenant in tenants if tenant.id == tenant_id), None)
    if tenant is None:
        raise NotFound("organization", tenant_id)
    await require_access(tx, tenant_id)
    if roles and tenant.role not in roles:
        raise Forbidden(f"Your role there is {tenant.role}; ask an owner or admin.")
    bound = Bound(tenant_id=tenant_id, user_id=tx.scope.user_id)
    await bind(tx.system, bound)
    await identity_store.lock_members(tx.system, bound)
    return bound, tenant


def _refuse_owner_change(tenant: Tenant, role: str) -> None:
    if role == "owner" and tenant.role != "owner":
        raise Forbidden("Only an owner changes who is an owner.")


async def _require_owner(tx: SystemTx, bound: Bound) -> None:
    if not any(member.role == "owner" for member in await identity_store.list_members(tx, bound)):
        raise Conflict("An organization needs an owner; name another first.", code="last_owner")


async def _member(tx: SystemTx, bound: Bound, user_id: UUID) -> Member:
    for member in await identity_store.list_members(tx, bound):
        if member.user_id == user_id:
            return member
    raise NotFound("member", user_id)


def _scope_in(scope: Scope, tenant_id: UUID) -> Scope:
    return Scope(tenant_id, scope.user_id, scope.rights, scope.actor, scope.request_id)
