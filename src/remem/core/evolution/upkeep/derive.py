"""Derive facts, due dates, ends and insights from memories that were not processed yet."""

import time
from collections.abc import Sequence
from uuid import UUID

import structlog

from remem.core.errors import RememError, Unavailable
from remem.core.evolution.model import Work
from remem.core.evolution.upkeep import store
from remem.core.memories.browse import find_shown
from remem.core.memories.derive import derive_memories
from remem.core.memories.insights import derive_insights
from remem.core.memories.model import DERIVE, Memory
from remem.core.ports import Ports
from remem.core.scope import Scope

BATCH = 100

log = structlog.get_logger()


async def derive_all(ports: Ports, scope: Scope, project_id: UUID | None, deadline: float) -> Work:
    done = {"derived": 0, "facts": 0, "insights": 0}
    while True:
        if time.monotonic() >= deadline:
            return Work(done, has_more=True)
        async with ports.db.transaction(scope) as tx:
            ids = await store.without_step(tx, scope, "derivation", BATCH)
            memories = await find_shown(tx, scope, ids)
        if not ids:
            return Work(done)
        # Derived memories are not processed again.
        stated = [memory for memory in memories if memory.source != DERIVE]
        done["facts"] += await _derive(ports, scope, stated)
        done["insights"] += await derive_insights(ports, scope, stated)
        done["derived"] += len(ids)
        async with ports.db.transaction(scope) as tx:
            await store.mark(tx, scope, "derivation", ids)


async def _derive(ports: Ports, scope: Scope, memories: Sequence[Memory]) -> int:
    """Derive from the memories; return the number of new parts. A memory that fails is skipped for
    good, unless a service was down: that raises, and the job is retried."""
    try:
        return sum(
            derivation.new_count for derivation in await derive_memories(ports, scope, memories)
        )
    except Unavailable:
        raise
    except RememError as error:
        if len(memories) <= 1:
            log.info("derivation_skipped", code=error.code)
            return 0
        return sum([await _derive(ports, scope, [memory]) for memory in memories])
