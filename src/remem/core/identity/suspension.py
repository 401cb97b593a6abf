"""Keep everybody out of a tenant that the operator has suspended."""

from remem.core.errors import Forbidden
from remem.core.identity import store
from remem.core.ports import Ports
from remem.core.scope import Scope

# How long a process may not know that a tenant was suspended, or is no longer.
BELIEVED_S = 5.0
_ACTIVE, _SUSPENDED = b"1", b"0"


async def require_active(ports: Ports, scope: Scope) -> None:
    """Asked with every request, so the answer is believed for some seconds."""
    key = cache_key(scope)
    state = await ports.cache.get(key)
    if state is None:
        state = _SUSPENDED if await _is_suspended(ports, scope) else _ACTIVE
        await ports.cache.put(key, state, BELIEVED_S)
    if state == _SUSPENDED:
        raise Forbidden(
            "This account is suspended; everything in it is kept. Ask who runs this server.",
            code="suspended",
        )


def cache_key(scope: Scope) -> str:
    return f"active:{scope.tenant_id}"


async def _is_suspended(ports: Ports, scope: Scope) -> bool:
    async with ports.db.transaction(scope) as tx:
        row = await store.find_subscription(tx, scope)
    return row is not None and row["suspended_at"] is not None
