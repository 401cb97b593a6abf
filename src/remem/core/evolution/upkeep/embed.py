"""Give a vector to active memories that have none of the model in use."""

import time
from uuid import UUID

from remem.core.evolution.model import Work
from remem.core.memories.process import embed_memory
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.core.upkeep.reembed import stale_memories


async def embed_all(ports: Ports, scope: Scope, project_id: UUID | None, deadline: float) -> Work:
    """Those that cannot be embedded now raise, and the job is tried again."""
    count = 0
    while ids := await stale_memories(ports, scope):
        for id in ids:
            if time.monotonic() >= deadline:
                return Work({"embedded": count}, left=True)
            await embed_memory(ports, scope, id)
            count += 1
    return Work({"embedded": count})
