"""Do scheduled work, once for all processes on a store."""

from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from typing import TypeAlias

import structlog

from remem.core.evolution.clock import clock_store
from remem.core.evolution.clock.slots import Schedule, last_slot
from remem.core.ports import Ports
from remem.core.scope import Bound

# Scheduling takes seconds; a process that has not finished by then has died.
LEASE = timedelta(minutes=30)

ClockWork: TypeAlias = Callable[[Ports], Awaitable[object]]

log = structlog.get_logger()


async def tick(
    ports: Ports, schedule: Schedule, work: ClockWork, moment: datetime, lease: timedelta = LEASE
) -> bool:
    """Do the work if it is due and no other process does it; return whether this one did. After a
    downtime it is done once. Failed work is retried by the next tick after its lease."""
    slot = last_slot(schedule, moment)
    async with ports.db.transaction(Bound()) as tx:
        claimed = await clock_store.claim(tx, schedule.name, slot, moment, moment + lease)
    if not claimed:
        return False
    await work(ports)
    async with ports.db.transaction(Bound()) as tx:
        await clock_store.finish(tx, schedule.name, slot, moment)
    log.info("clock_ticked", schedule=schedule.name, slot=slot.isoformat())
    return True
