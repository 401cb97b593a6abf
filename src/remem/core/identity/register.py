"""Create a user with a tenant of their own; create the local owner of a new store."""

import re
from uuid import UUID

from remem.core.binding import bind
from remem.core.errors import Conflict, Invalid
from remem.core.identity import identity_store
from remem.core.identity.keys.manage import create_key_in
from remem.core.identity.model import KeyRequest, NewKey, Tenant, User
from remem.core.identity.passwords import hash_password
from remem.core.ports import Ports
from remem.core.scope import ALL_RIGHTS, Bound
from remem.core.time import new_id
from remem.core.transaction import SystemTx
from remem.core.validate import check_text

NAME_LIMIT = 200
EMAIL_LIMIT = 254
OWNER_EMAIL, OWNER_NAME = "owner@localhost", "Owner"
_EMAIL = re.compile(r"[^@\s]+@[^@\s]+")
_OWNER_LOCK = 0x6F776E6572  # "owner"


async def register(
    ports: Ports, email: str, password: str, name: str | None = None
) -> tuple[User, Tenant]:
    email = checked_email(email)
    hashed = await hash_password(password)
    bound = Bound(tenant_id=new_id(), user_id=new_id())
    async with ports.db.transaction(bound) as tx:
        return await _create(tx, bound, email, checked_name(name) or _name_from(email), hashed)


def has_given_name(user: User) -> bool:
    """Whether the user gave their name; otherwise it is made from the e-mail address."""
    return user.name not in (
        _name_from(user.email),
        OWNER_NAME if user.email == OWNER_EMAIL else "",
    )


async def ensure_owner(ports: Ports, *, replace_key: bool = False) -> NewKey | None:
    """Create the local owner of a store without users and return the owner's key.

    `replace_key` creates a new key for the first user if theirs was lost.
    """
    user_id = new_id()
    async with ports.db.transaction(Bound(user_id=user_id)) as tx:
        await tx.execute("SELECT pg_advisory_xact_lock($1)", _OWNER_LOCK)
        first = await identity_store.first_user(tx)
        if first is None:
            bound = Bound(tenant_id=new_id(), user_id=user_id)
            await bind(tx, bound)
            await _create(tx, bound, OWNER_EMAIL, OWNER_NAME, None)
        elif replace_key:
            await bind(tx, Bound(user_id=first.id))
            home = (await identity_store.tenants_of_user(tx, Bound(user_id=first.id)))[0]
            bound = Bound(tenant_id=home.id, user_id=first.id)
            await bind(tx, bound)
        else:
            return None
        return await create_key_in(tx, bound, KeyRequest("Local owner", ALL_RIGHTS))


async def _create(
    tx: SystemTx, bound: Bound, email: str, name: str, hashed: str | None
) -> tuple[User, Tenant]:
    await identity_store.lock_email(tx, email)
    user = await identity_store.insert_user(tx, bound, email, name, hashed)
    if user is None:
        raise Conflict("An account with this e-mail exists; sign in instead.", code="email_taken")
    return user, await create_tenant(tx, bound, "user", name, user.id)


async def create_tenant(tx: SystemTx, bound: Bound, kind: str, name: str, owner_id: UUID) -> Tenant:
    tenant = await identity_store.insert_tenant(tx, bound, kind, name, _slug(name, bound.tenant_id))
    await identity_store.insert_member(tx, bound, new_id(), owner_id, "owner")
    await identity_store.insert_subscription(tx, bound, new_id())
    return tenant


def checked_email(email: str) -> str:
    email = email.strip()
    check_text("email", email, EMAIL_LIMIT)
    if not _EMAIL.fullmatch(email):
        raise Invalid("email", "give an address such as ada@example.org")
    return email


def checked_name(name: str | None) -> str:
    name = (name or "").strip()
    check_text("name", name, NAME_LIMIT)
    return name


def _name_from(email: str) -> str:
    return email.split("@")[0][:NAME_LIMIT]


def _slug(name: str, tenant_id: UUID | None) -> str:
    words = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:40]
    return f"{words or 'tenant'}-{str(tenant_id)[-8:]}"
