"""Plans: how many current memories a tenant may store, and how many it stores.

The database counts, in the transaction that adds or removes memories; this module checks the limit.
"""

from remem.core.errors import LimitExceeded, NotFound
from remem.core.identity import identity_store
from remem.core.identity.everyone import every_tenant
from remem.core.identity.model import Subscription
from remem.core.jobs.enqueue import resume_waiting_for_room
from remem.core.jobs.read import any_waits_for_room
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.core.transaction import Tx

# The most memories of each plan; a tenant's own limit takes precedence over its plan's.
PLANS: dict[str, int | None] = {
    "free": 300,
    "hobby": 2_000,
    "pro": 10_000,
    "self-hosted": None,
}
# The most jobs that are resumed at a time; those that end resume the next ones.
_RESUME_LIMIT = 100


async def get_subscription(ports: Ports, scope: Scope) -> Subscription:
    async with ports.db.transaction(scope) as tx:
        return await _subscription(tx, lock=False)


async def require_room(tx: Tx, memories: int = 1, *, lock: bool = True) -> None:
    """Raise LimitExceeded unless so many more fit; with the lock, they fit until the transaction
    ends."""
    subscription = await _subscription(tx, lock=lock)
    limit = subscription.memory_limit
    if limit is not None and subscription.memory_count + memories > limit:
        raise LimitExceeded(subscription.memory_count, limit)


async def resume_waiting_jobs(ports: Ports, tx: Tx) -> int:
    """Queue the jobs again that stopped at the limit, as far as there is room now."""
    if not await any_waits_for_room(tx):
        return 0
    subscription = await _subscription(tx, lock=False)
    limit, room = subscription.memory_limit, _RESUME_LIMIT
    if limit is not None:
        room = min(room, limit - subscription.memory_count)
    return await resume_waiting_for_room(ports, tx, room) if room > 0 else 0


async def resume_everywhere(ports: Ports) -> int:
    """Resume the waiting jobs of every tenant; return how many."""
    count = 0
    async for scope in every_tenant(ports):
        async with ports.db.transaction(scope) as tx:
            count += await resume_waiting_jobs(ports, tx)
    return count


async def subscription_in(tx: Tx) -> Subscription:
    return await _subscription(tx, lock=False)


async def _subscription(tx: Tx, *, lock: bool) -> Subscription:
    row = await identity_store.find_subscription(tx, lock=lock)
    if row is None:
        raise NotFound("subscription")
    own = row["memory_limit"]
    limit = own if own is not None else PLANS[row["plan"]]
    return Subscription(row["plan"], row["memory_count"], limit, row["suspended_at"])
