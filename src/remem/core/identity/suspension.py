"""Refuse access to a tenant that the operator has suspended."""

from remem.core.errors import Forbidden, NotFound
from remem.core.identity.plans import get_subscription
from remem.core.ports import Ports
from remem.core.scope import Scope


async def require_active(ports: Ports, scope: Scope) -> None:
    if await is_suspended(ports, scope):
        raise Forbidden(
            "This account is suspended; everything in it is kept. Ask who runs this server.",
            code="suspended",
        )


# A short-lived cache of whether a tenant is suspended, correct for one access version.


TTL_S = 60
_SUSPENDED, _ACTIVE = b"suspended", b"active"


async def is_suspended(ports: Ports, scope: Scope) -> bool:
    key = f"plan:{await ports.access_version.current()}:{scope.tenant_id}"
    cached = await ports.cache.get(key)
    if cached in (_SUSPENDED, _ACTIVE):
        return cached == _SUSPENDED
    try:
        subscription = await get_subscription(ports, scope)
    except NotFound:
        # The tenant was just deleted, so the requested items are gone too.
        return False
    suspended = subscription.suspended_at is not None
    await ports.cache.put(key, _SUSPENDED if suspended else _ACTIVE, TTL_S)
    return suspended
