"""A short-lived cache of what a tenant's plan allows.

The suspension and the limit are correct for one access version. The count may be older: it only
saves a query while there is ample room, and the transaction that adds a memory counts exactly."""

from dataclasses import dataclass

from pydantic import TypeAdapter, ValidationError

from remem.core.errors import NotFound
from remem.core.identity.plans import get_subscription
from remem.core.ports import Ports
from remem.core.scope import Scope

TTL_S = 60
# As many as a busy tenant saves during the lifetime of an entry.
_AMPLE_ROOM = 1_000


@dataclass(frozen=True, slots=True)
class PlanState:
    is_suspended: bool
    memory_limit: int | None
    memory_count: int

    @property
    def has_ample_room(self) -> bool:
        return self.memory_limit is None or self.memory_limit - self.memory_count > _AMPLE_ROOM


_PLAN_STATE = TypeAdapter(PlanState)


async def plan_state(ports: Ports, scope: Scope) -> PlanState:
    key = f"plan:{await ports.access_version.current()}:{scope.tenant_id}"
    cached = _parse(await ports.cache.get(key))
    if cached:
        return cached
    try:
        subscription = await get_subscription(ports, scope)
    except NotFound:
        # The tenant was just deleted, so the requested items are gone too.
        return PlanState(is_suspended=False, memory_limit=None, memory_count=0)
    is_suspended = subscription.suspended_at is not None
    state = PlanState(is_suspended, subscription.memory_limit, subscription.memory_count)
    await ports.cache.put(key, _PLAN_STATE.dump_json(state), TTL_S)
    return state


def _parse(data: bytes | None) -> PlanState | None:
    try:
        return _PLAN_STATE.validate_json(data) if data else None
    except ValidationError:
        return None
