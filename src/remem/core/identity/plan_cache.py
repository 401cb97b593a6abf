"""A short-lived cache of whether a tenant is suspended, correct for one access version."""

from remem.core.errors import NotFound
from remem.core.identity.plans import get_subscription
from remem.core.ports import Ports
from remem.core.scope import Scope

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
