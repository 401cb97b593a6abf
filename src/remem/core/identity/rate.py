"""How often a caller may ask."""

from remem.core.errors import RateLimited
from remem.core.ports import Allowance, Ports
from remem.core.scope import Scope

WINDOW_S = 60


async def spend_request(ports: Ports, scope: Scope, limit: int) -> Allowance:
    """Count one request of this key or user; raise RateLimited past the limit."""
    caller = f"{scope.tenant_id}:{scope.actor}"
    allowance = await ports.rate.hit(caller, limit, WINDOW_S)
    if not allowance.allowed:
        raise RateLimited(limit, allowance.reset_s)
    return allowance
