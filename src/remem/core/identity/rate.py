"""Rate limits of a key or token, of a user with all of theirs, and of a user's browsers."""

from remem.core.errors import RateLimited
from remem.core.ports import Allowance, Ports
from remem.core.scope import Scope

WINDOW_S = 60


async def count_request(ports: Ports, scope: Scope, limit: int, user_limit: int) -> Allowance:
    """Count one request; raise RateLimited when the credential, or its user with all of theirs,
    has none left."""
    caller, user = f"{scope.tenant_id}:{scope.actor}", f"user:{scope.user_id}"
    allowance = await ports.rate.hit_within(caller, limit, user, user_limit, WINDOW_S)
    if not allowance.allowed:
        raise RateLimited(allowance.limit, allowance.reset_s)
    return allowance


def is_browser(scope: Scope) -> bool:
    return scope.actor.startswith("user:")


async def count_browser_request(ports: Ports, scope: Scope, limit: int) -> Allowance:
    """Count one request of a browser. Browsers and keys have separate limits, so that a busy page
    does not use up that of the keys, or the reverse."""
    allowance = await ports.rate.hit(f"browser:{scope.user_id}", limit, WINDOW_S)
    if not allowance.allowed:
        raise RateLimited(allowance.limit, allowance.reset_s)
    return allowance
