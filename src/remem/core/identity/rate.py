"""How often a caller may ask: each key or session for itself, and a user with all of them."""

from remem.core.errors import RateLimited
from remem.core.ports import Allowance, Ports
from remem.core.scope import Scope

WINDOW_S = 60


async def spend_request(ports: Ports, scope: Scope, limit: int, user_limit: int) -> Allowance:
    """Count one request; raise RateLimited when the credential, or its user with all of theirs,
    has none left."""
    caller, user = f"{scope.tenant_id}:{scope.actor}", f"user:{scope.user_id}"
    allowance = await ports.rate.hit_within(caller, limit, user, user_limit, WINDOW_S)
    if not allowance.allowed:
        raise RateLimited(allowance.limit, allowance.reset_s)
    return allowance
