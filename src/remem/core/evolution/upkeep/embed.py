"""Embed active memories that have no vector of the current model."""

import time
from uuid import UUID

from remem.core.evolution.model import Work
from remem.core.memories.process import embed_memories
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.core.upkeep.reembed import stale_memories

# One batch of the model, so that other callers do not wait long for it.
BATCH = 32


async def embed_all(ports: Ports, scope: Scope, project_id: UUID | None, deadline: float) -> Work:
    """Embed stale memories. If the model is down this raises, and the job is retried."""
    count = 0
    while ids := await stale_memories(ports, scope):
        for start in range(0, len(ids), BATCH):
            if time.monotonic() >= deadline:
                return Work({"embedded": count}, has_more=True)
            await embed_memories(ports, scope, ids[start : start + BATCH])
            count += len(ids[start : start + BATCH])
    return Work({"embedded": count})
