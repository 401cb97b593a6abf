"""Link unlinked memories to what they mention and to memories on the same subject."""

import time
from uuid import UUID

from remem.core.evolution.model import Work
from remem.core.evolution.upkeep import evolution_upkeep_store
from remem.core.memories.connect import connect_memories
from remem.core.ports import Ports
from remem.core.scope import Scope

BATCH = 100


async def link_all(ports: Ports, scope: Scope, project_id: UUID | None, deadline: float) -> Work:
    done = {"connected": 0, "links": 0}
    while True:
        if time.monotonic() >= deadline:
            return Work(done, has_more=True)
        async with ports.db.transaction(scope) as tx:
            ids = await evolution_upkeep_store.without_step(tx, "graph", BATCH)
        if not ids:
            return Work(done)
        done["links"] += await connect_memories(ports, scope, ids)
        done["connected"] += len(ids)
        async with ports.db.transaction(scope) as tx:
            await evolution_upkeep_store.mark(tx, "graph", ids)
