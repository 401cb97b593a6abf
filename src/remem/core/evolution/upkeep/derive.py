"""Take memories apart that were not yet: facts, days to be done by, ends, and what follows."""

import time
from uuid import UUID

import structlog

from remem.core.errors import RememError, Unavailable
from remem.core.evolution.jobs import store
from remem.core.evolution.model import Work
from remem.core.memories.browse import read_many
from remem.core.memories.derive import derive_memory
from remem.core.memories.insights import derive_insights
from remem.core.memories.model import DERIVE
from remem.core.ports import Ports
from remem.core.scope import Scope

BATCH = 50

log = structlog.get_logger()


async def derive_all(ports: Ports, scope: Scope, project_id: UUID | None, deadline: float) -> Work:
    done = {"derived": 0, "facts": 0, "insights": 0}
    while True:
        async with ports.db.transaction(scope) as tx:
            ids = await store.without_step(tx, scope, "derivation", BATCH)
            memories = await read_many(tx, scope, ids)
        if not ids:
            return Work(done)
        for id in ids:
            if time.monotonic() >= deadline:
                return Work(done, left=True)
            is_part = id in memories and memories[id].source == DERIVE
            if not is_part:
                facts, insights = await _derive_one(ports, scope, id)
                done["facts"] += facts
                done["insights"] += insights
            done["derived"] += 1
            async with ports.db.transaction(scope) as tx:
                await store.mark(tx, scope, "derivation", [id])


async def _derive_one(ports: Ports, scope: Scope, id: UUID) -> tuple[int, int]:
    """What cannot be taken apart is not tried again; what needs something that is down is."""
    try:
        derived = await derive_memory(ports, scope, id)
        return len(derived.facts), await derive_insights(ports, scope, id)
    except Unavailable:
        raise
    except RememError as error:
        log.info("derivation_skipped", code=error.code)
        return 0, 0
