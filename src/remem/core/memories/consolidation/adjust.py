"""Lower the confidence of unused memories; raise the quality of those used often."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from remem.core.events.record import record_all
from remem.core.index.kinds import MEMORY
from remem.core.memories import memory_store
from remem.core.memories.consolidation import consolidation_store
from remem.core.memories.consolidation.model import ActionName
from remem.core.memories.model import Memory
from remem.core.projects.manage import lock_project
from remem.core.transaction import Tx

DECAY_BY, MIN_CONFIDENCE = 0.15, 0.1


async def decay_memories(tx: Tx, project_id: UUID, ids: Sequence[UUID], since: datetime) -> int:
    """Lower the confidence of memories of a project; returns how many were changed.

    Skips memories that were used, moved or hidden meanwhile."""
    unused = [
        memory
        for memory in await _shown(tx, project_id, ids)
        if not memory.access_count and (memory.last_accessed_at or since) <= since
    ]
    lowered = {
        memory.id: max(round(memory.confidence - DECAY_BY, 4), MIN_CONFIDENCE) for memory in unused
    }
    changed = [memory for memory in unused if lowered[memory.id] < memory.confidence]
    await consolidation_store.set_confidence(
        tx, {memory.id: lowered[memory.id] for memory in changed}
    )
    before = [
        (memory, {"confidence": memory.confidence, "after": lowered[memory.id]})
        for memory in changed
    ]
    data = [{"confidence": [memory.confidence, lowered[memory.id]]} for memory in changed]
    await _record_action(tx, "decay", before, data)
    return len(changed)


async def promote_memories(tx: Tx, project_id: UUID, ids: Sequence[UUID]) -> int:
    """Set the quality of memories of a project to good; returns how many were changed.

    Skips memories that somebody rated meanwhile."""
    shown = await _shown(tx, project_id, ids)
    unknown = [memory for memory in shown if memory.quality == "unknown"]
    await consolidation_store.set_good(tx, [memory.id for memory in unknown])
    before = [(memory, {"quality": memory.quality}) for memory in unknown]
    await _record_action(tx, "promote", before, [{"quality": ["unknown", "good"]} for _ in unknown])
    return len(unknown)


async def _shown(tx: Tx, project_id: UUID, ids: Sequence[UUID]) -> list[Memory]:
    await lock_project(tx, project_id)
    memories = await memory_store.find_many(tx, ids)
    return [memory for memory in memories if memory.is_shown and memory.project_id == project_id]


async def _record_action(
    tx: Tx,
    action: ActionName,
    before: Sequence[tuple[Memory, dict[str, Any]]],
    data: Sequence[dict[str, Any]],
) -> None:
    """Record the action on each memory with its previous values, and an event with `data`."""
    rows = [
        (memory.id, {**values, "updated_at": memory.updated_at.isoformat()})
        for memory, values in before
    ]
    action_ids = await consolidation_store.insert_all(tx, action, rows)
    events = [
        (memory.id, {**event, "action_id": str(action_id)})
        for (memory, _), event, action_id in zip(before, data, action_ids, strict=True)
    ]
    await record_all(tx, MEMORY, f"consolidation_{action}", events)
