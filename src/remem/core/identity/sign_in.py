"""Sign a browser in by password or key, and out again."""

from datetime import timedelta
from uuid import UUID

from remem.core.errors import Forbidden, NotFound, RateLimited, Unauthenticated
from remem.core.identity import store
from remem.core.identity.model import RIGHTS_OF_ROLE, SignIn, Tenant
from remem.core.identity.recognise import recognise_key
from remem.core.identity.register import bind, checked_email
from remem.core.identity.secrets import digest, new_token, password_matches
from remem.core.ports import Ports
from remem.core.scope import ALL_RIGHTS, Bound, Right
from remem.core.time import new_id, now

LASTS = timedelta(days=30)
TRIES_A_MINUTE = 10


async def sign_in(ports: Ports, email: str, password: str, tenant_id: UUID | None = None) -> SignIn:
    email = checked_email(email)
    await _slow_down_guessing(ports, email)
    async with ports.db.transaction(Bound()) as tx:
        user = await store.find_user_by_email(tx, Bound(), email)
        hashed = await store.password_hash(tx, Bound(), user.id) if user else None
    if not await password_matches(password, hashed) or user is None:
        raise Unauthenticated(
            "E-mail or password is wrong; check both, or sign in with a key.",
            code="wrong_password",
        )
    return await _open(ports, user.id, tenant_id)


async def sign_in_with_key(ports: Ports, raw: str) -> SignIn:
    scope = await recognise_key(ports, raw)
    return await _open(ports, scope.user_id, scope.tenant_id, scope.rights)


async def sign_out(ports: Ports, user_id: UUID, token: str) -> None:
    bound = Bound(user_id=user_id, secret=digest(token))
    async with ports.db.transaction(bound) as tx:
        await store.delete_sign_ins(tx, bound)


async def _slow_down_guessing(ports: Ports, email: str) -> None:
    allowance = await ports.rate.hit(f"sign_in:{digest(email.lower())}", TRIES_A_MINUTE, 60)
    if not allowance.allowed:
        raise RateLimited(TRIES_A_MINUTE, allowance.reset_s)


async def _open(
    ports: Ports, user_id: UUID, tenant_id: UUID | None, rights: frozenset[Right] = ALL_RIGHTS
) -> SignIn:
    token = new_token()
    expires_at = now() + LASTS
    async with ports.db.transaction(Bound(user_id=user_id)) as tx:
        mine = await store.tenants_of_user(tx, Bound(user_id=user_id))
        chosen = [tenant for tenant in mine if tenant_id in (None, tenant.id)]
        if not chosen:
            raise NotFound("organization", tenant_id)
        _refuse_more_than(rights, chosen[0])
        bound = Bound(tenant_id=chosen[0].id, user_id=user_id, secret=digest(token))
        await bind(tx, bound)
        await store.insert_sign_in(tx, bound, new_id(), expires_at)
        user = await store.find_user(tx, bound)
    assert user is not None
    return SignIn(token=token, expires_at=expires_at, user=user, tenant=chosen[0])


def _refuse_more_than(rights: frozenset[Right], tenant: Tenant) -> None:
    """A browser may do all that its user's role may, so a lesser key must not open one."""
    if lacking := RIGHTS_OF_ROLE[tenant.role or ""] - rights:
        raise Forbidden(
            f"This key lacks the scopes {', '.join(sorted(lacking))}, which a signed-in browser"
            " has; use a key with them, or your password.",
            code="scope_missing",
        )
