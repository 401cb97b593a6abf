"""Sign a browser in with a password or key, and out again."""

from datetime import UTC, datetime, timedelta
from uuid import UUID

from remem.core.binding import bind
from remem.core.errors import Forbidden, NotFound, Unauthenticated
from remem.core.identity import identity_store, sign_in_store
from remem.core.identity.attempts import Visitor, count_password_attempt
from remem.core.identity.authenticate import authenticate_key
from remem.core.identity.model import RIGHTS_OF_ROLE, NewBrowserSession, SignIn, Tenant
from remem.core.identity.passwords import password_matches
from remem.core.identity.register import checked_email
from remem.core.identity.secrets import digest, new_token
from remem.core.ports import Ports
from remem.core.scope import ALL_RIGHTS, Bound, Right, Scope
from remem.core.time import new_id, now

LASTS = timedelta(days=30)


async def sign_in(
    ports: Ports,
    email: str,
    password: str,
    visitor: Visitor,
    tenant_id: UUID | None = None,
) -> SignIn:
    email = checked_email(email)
    await count_password_attempt(ports, visitor, email)
    async with ports.db.transaction(Bound()) as tx:
        login = await identity_store.find_login(tx, email)
    hashed = login["password_hash"] if login else None
    if not await password_matches(password, hashed) or login is None:
        raise Unauthenticated(
            "The email address or password is wrong; check both, or sign in with a key.",
            code="wrong_password",
        )
    return await open_session(ports, login["id"], visitor, tenant_id)


async def sign_in_with_key(ports: Ports, raw: str, visitor: Visitor) -> SignIn:
    scope = await authenticate_key(ports, raw)
    return await open_session(ports, scope.user_id, visitor, scope.tenant_id, scope)


async def sign_out(ports: Ports, user_id: UUID, token: str) -> None:
    bound = Bound(user_id=user_id, secret=digest(token))
    async with ports.db.transaction(bound) as tx:
        await sign_in_store.delete_sign_ins(tx, bound)


async def open_session(
    ports: Ports,
    user_id: UUID,
    visitor: Visitor,
    tenant_id: UUID | None = None,
    key: Scope | None = None,
) -> SignIn:
    """Sign in a browser of an authenticated user; a session opened with a key expires with it."""
    token = new_token()
    key_expires_at = key.expires_at if key else None
    expires_at = min(now() + LASTS, key_expires_at or datetime.max.replace(tzinfo=UTC))
    async with ports.db.transaction(Bound(user_id=user_id)) as tx:
        tenants = await identity_store.tenants_of_user(tx, Bound(user_id=user_id))
        candidates = [tenant for tenant in tenants if tenant_id in (None, tenant.id)]
        if not candidates:
            raise NotFound("organization", tenant_id)
        _refuse_lesser_key(key.rights if key else ALL_RIGHTS, candidates[0])
        bound = Bound(tenant_id=candidates[0].id, user_id=user_id, secret=digest(token))
        await bind(tx, bound)
        session = NewBrowserSession(expires_at, visitor.digest, key_expires_at, visitor.agent)
        await sign_in_store.insert_sign_in(tx, bound, new_id(), session)
        user = await identity_store.find_user(tx, bound)
    assert user is not None
    return SignIn(token=token, expires_at=expires_at, user=user, tenant=candidates[0])


def _refuse_lesser_key(rights: frozenset[Right], tenant: Tenant) -> None:
    """Refuse a key with fewer rights than the user's role, all of which a browser session has."""
    if lacking := RIGHTS_OF_ROLE[tenant.role or ""] - rights:
        raise Forbidden(
            f"This key lacks the scopes {', '.join(sorted(lacking))}, which a signed-in browser"
            " has; use a key with them, or your password.",
            code="scope_missing",
        )
