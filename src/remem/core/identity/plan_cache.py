"""What a tenant's plan allows, as it was read a moment ago.

Whether it is suspended, and its limit, are right for one version of access. The count may be older:
it only spares a question where there is plenty of room, and the transaction that adds a memory
counts exactly."""

from dataclasses import dataclass

from pydantic import TypeAdapter, ValidationError

from remem.core.errors import NotFound
from remem.core.identity.plans import get_subscription
from remem.core.ports import Ports
from remem.core.scope import Scope

TTL_S = 60
# As many as a busy tenant saves while an entry lasts.
_PLENTY = 1_000


@dataclass(frozen=True, slots=True)
class PlanState:
    is_suspended: bool
    memory_limit: int | None
    memory_count: int

    @property
    def has_plenty(self) -> bool:
        return self.memory_limit is None or self.memory_limit - self.memory_count > _PLENTY


_PLAN_STATE = TypeAdapter(PlanState)


async def plan_state(ports: Ports, scope: Scope) -> PlanState:
    key = f"plan:{await ports.access_version.current()}:{scope.tenant_id}"
    known = _read(await ports.cache.get(key))
    if known:
        return known
    try:
        found = await get_subscription(ports, scope)
    except NotFound:
        # The tenant was deleted just now; what is asked for is not there either.
        return PlanState(is_suspended=False, memory_limit=None, memory_count=0)
    is_suspended = found.suspended_at is not None
    state = PlanState(is_suspended, found.memory_limit, found.memory_count)
    await ports.cache.put(key, _PLAN_STATE.dump_json(state), TTL_S)
    return state


def _read(kept: bytes | None) -> PlanState | None:
    try:
        return _PLAN_STATE.validate_json(kept) if kept else None
    except ValidationError:
        return None
