"""Lower the confidence of what nobody uses; raise the quality of what is used often."""

from datetime import datetime
from uuid import UUID

from remem.core.db import Tx
from remem.core.events.record import record
from remem.core.index.kinds import MEMORY
from remem.core.memories import store
from remem.core.memories.consolidation import store as actions
from remem.core.memories.model import Memory
from remem.core.ports import Ports
from remem.core.projects.manage import lock_project
from remem.core.scope import Scope

DECAY_BY, FLOOR = 0.15, 0.1


async def decay_memory(ports: Ports, tx: Tx, scope: Scope, id: UUID, since: datetime) -> bool:
    """False when it was used, changed or hidden meanwhile."""
    memory = await _shown(tx, scope, id)
    if memory is None or memory.access_count or (memory.last_accessed_at or since) > since:
        return False
    lowered = max(round(memory.confidence - DECAY_BY, 4), FLOOR)
    if lowered >= memory.confidence:
        return False
    await store.change(tx, scope, id, {"confidence": lowered})
    before = {
        "confidence": memory.confidence,
        "after": lowered,
        "updated_at": memory.updated_at.isoformat(),
    }
    action_id = await actions.insert(tx, scope, "decay", id, before)
    data = {"confidence": [memory.confidence, lowered], "action_id": str(action_id)}
    await record(tx, scope, MEMORY, id, "consolidation_decay", data)
    return True


async def promote_memory(ports: Ports, tx: Tx, scope: Scope, id: UUID) -> bool:
    """False when somebody said meanwhile how good it is."""
    memory = await _shown(tx, scope, id)
    if memory is None or memory.quality != "unknown":
        return False
    await store.change(tx, scope, id, {"quality": "good"})
    before = {"quality": memory.quality, "updated_at": memory.updated_at.isoformat()}
    action_id = await actions.insert(tx, scope, "promote", id, before)
    data = {"quality": ["unknown", "good"], "action_id": str(action_id)}
    await record(tx, scope, MEMORY, id, "consolidation_promote", data)
    return True


async def _shown(tx: Tx, scope: Scope, id: UUID) -> Memory | None:
    memory = await store.find(tx, scope, id)
    if memory is None:
        return None
    await lock_project(tx, scope, memory.project_id)
    memory = await store.find(tx, scope, id)
    return memory if memory and memory.is_shown else None
