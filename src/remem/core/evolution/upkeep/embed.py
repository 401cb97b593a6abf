"""Give a vector to active memories that have none of the model in use."""

import time
from uuid import UUID

from remem.core.evolution.model import Work
from remem.core.memories.process import embed_memories
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.core.upkeep.reembed import stale_memories

# Of one batch of the model, so that nobody else waits long for it.
AT_ONCE = 32


async def embed_all(ports: Ports, scope: Scope, project_id: UUID | None, deadline: float) -> Work:
    """Those that cannot be embedded now raise, and the job is tried again."""
    count = 0
    while ids := await stale_memories(ports, scope):
        for start in range(0, len(ids), AT_ONCE):
            if time.monotonic() >= deadline:
                return Work({"embedded": count}, left=True)
            await embed_memories(ports, scope, ids[start : start + AT_ONCE])
            count += len(ids[start : start + AT_ONCE])
    return Work({"embedded": count})
