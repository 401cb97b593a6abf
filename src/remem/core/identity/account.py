"""The caller's own account: read, change and delete it."""

from dataclasses import replace
from uuid import UUID

from remem.core.binding import bind
from remem.core.blobs.sweep import erase_all
from remem.core.db import retry_on_deadlock
from remem.core.errors import Conflict, Forbidden, Invalid, NotFound
from remem.core.identity import identity_store, sign_in_link_store, sign_in_store
from remem.core.identity.credential_limits import refuse_expiring, require_access
from remem.core.identity.grants.end import end_all_grants_in
from remem.core.identity.keys.key_cache import expire_cached_keys
from remem.core.identity.model import Tenant, User
from remem.core.identity.passwords import check_password, hash_password, password_matches
from remem.core.identity.register import checked_email, checked_name
from remem.core.ports import Ports
from remem.core.scope import ALL_RIGHTS, Bound, Scope
from remem.core.transaction import SystemTx, Tx


async def who_am_i(ports: Ports, scope: Scope) -> tuple[User, Tenant]:
    async with ports.db.transaction(scope) as tx:
        user = await identity_store.find_user(tx.system, scope.bound)
        tenants = await identity_store.tenants_of_user(tx.system, scope.bound)
    current = next((tenant for tenant in tenants if tenant.id == scope.tenant_id), None)
    if user is None or current is None:
        raise NotFound("account")
    return user, current


async def change_account(
    ports: Ports, scope: Scope, email: str | None = None, name: str | None = None
) -> User:
    email = checked_email(email) if email is not None else None
    name = checked_name(name) if name is not None else None
    if name == "":
        raise Invalid("name", "give at least one character")
    async with ports.db.transaction(scope) as tx:
        await require_access(tx)
        if email:
            await _refuse_taken_email(tx, email)
        user = await identity_store.update_user(tx.system, scope.bound, email=email, name=name)
    if user is None:
        raise NotFound("account")
    return user


async def _refuse_taken_email(tx: Tx, email: str) -> None:
    await identity_store.lock_email(tx.system, email)
    other = await identity_store.find_user_by_email(tx.system, email)
    if other and other.id != tx.scope.user_id:
        raise Conflict("Another account has this e-mail; use another.", code="email_taken")


async def change_password(
    ports: Ports, scope: Scope, current: str | None, new: str, *, keep_grants: bool = False
) -> None:
    """Set the password, sign out every browser, and end sign-in links and grants of clients, since
    anyone who knew the old password may have created them. A user without a password needs no
    current one, and keeps their grants."""
    _require_all_rights(scope)
    check_password(new, "new_password")
    async with ports.db.transaction(scope) as tx:
        await require_access(tx)
        old_hash = await identity_store.password_hash(tx.system, scope.user_id)
    # Outside a transaction, so that no connection waits in the queue of password checks.
    if old_hash and not await password_matches(current or "", old_hash):
        raise Invalid("current_password", "is wrong; check it", code="wrong_password")
    new_hash = await hash_password(new, "new_password")
    async with ports.db.transaction(scope) as tx:
        if not await identity_store.replace_password(tx.system, scope.bound, old_hash, new_hash):
            raise Conflict("The password was just changed; sign in again.", code="changed")
        await sign_in_store.delete_sign_ins(tx.system, Bound(user_id=scope.user_id))
        for tenant in await identity_store.tenants_of_user(tx.system, scope.bound):
            tenant_scope = replace(scope, tenant_id=tenant.id)
            await bind(tx.system, tenant_scope.bound)
            await sign_in_link_store.delete_links(tx.system, tenant_scope.bound)
            if old_hash and not keep_grants:
                await end_all_grants_in(tx.acting_for(tenant_scope), "password_changed")


def _require_all_rights(scope: Scope) -> None:
    """A password gives every right and does not expire, so a lesser credential must not set one."""
    refuse_expiring(scope, "set a password")
    if lacking := ALL_RIGHTS - scope.rights:
        raise Forbidden(
            f"This credential lacks the scopes {', '.join(sorted(lacking))}, which a password"
            " gives; use one that has them.",
            code="scope_missing",
        )


@retry_on_deadlock
async def delete_account(ports: Ports, scope: Scope) -> None:
    """Erase the user, their own tenant and everything in it; leave their organizations."""
    async with ports.db.transaction(Bound(user_id=scope.user_id)) as tx:
        await require_access(tx.acting_for(scope))
        tenants = await identity_store.tenants_of_user(tx, scope.bound)
        for tenant in tenants:
            bound = Bound(tenant_id=tenant.id, user_id=scope.user_id)
            await bind(tx, bound)
            if tenant.kind == "user":
                await erase_all(ports, tx, bound)
                await identity_store.delete_tenant(tx, bound)
            else:
                await _leave(tx, bound, tenant, scope.user_id)
        await identity_store.delete_user(tx, scope.bound)
    await expire_cached_keys(ports)


async def _leave(tx: SystemTx, bound: Bound, tenant: Tenant, user_id: UUID) -> None:
    await identity_store.lock_members(tx, bound)
    owners = [
        member.user_id
        for member in await identity_store.list_members(tx, bound)
        if member.role == "owner"
    ]
    if owners == [user_id]:
        raise Conflict(
            f"You are the only owner of {tenant.name}; name another owner or delete it first.",
            code="last_owner",
        )
    await identity_store.delete_member(tx, bound, user_id)
