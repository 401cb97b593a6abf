"""Lower the confidence of what nobody uses; raise the quality of what is used often."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from remem.core.db import Tx
from remem.core.events.record import record_all
from remem.core.index.kinds import MEMORY
from remem.core.memories import store
from remem.core.memories.consolidation import store as actions
from remem.core.memories.consolidation.model import ActionName
from remem.core.memories.model import Memory
from remem.core.projects.manage import lock_project
from remem.core.scope import Scope

DECAY_BY, FLOOR = 0.15, 0.1


async def decay_memories(
    tx: Tx, scope: Scope, project_id: UUID, ids: Sequence[UUID], since: datetime
) -> int:
    """Of one project. How many were lowered: not those that were used, changed or hidden
    meanwhile."""
    unused = [
        one
        for one in await _shown(tx, scope, project_id, ids)
        if not one.access_count and (one.last_accessed_at or since) <= since
    ]
    lowered = {one.id: max(round(one.confidence - DECAY_BY, 4), FLOOR) for one in unused}
    changed = [one for one in unused if lowered[one.id] < one.confidence]
    await actions.set_confidence(tx, scope, {one.id: lowered[one.id] for one in changed})
    done = [(one, {"confidence": one.confidence, "after": lowered[one.id]}) for one in changed]
    data = [{"confidence": [one.confidence, lowered[one.id]]} for one in changed]
    await _note(tx, scope, "decay", done, data)
    return len(changed)


async def promote_memories(tx: Tx, scope: Scope, project_id: UUID, ids: Sequence[UUID]) -> int:
    """Of one project. How many were raised: not those of which somebody said meanwhile how good
    they are."""
    found = await _shown(tx, scope, project_id, ids)
    unknown = [one for one in found if one.quality == "unknown"]
    await actions.set_good(tx, scope, [one.id for one in unknown])
    done = [(one, {"quality": one.quality}) for one in unknown]
    await _note(tx, scope, "promote", done, [{"quality": ["unknown", "good"]} for _ in unknown])
    return len(unknown)


async def _shown(tx: Tx, scope: Scope, project_id: UUID, ids: Sequence[UUID]) -> list[Memory]:
    await lock_project(tx, scope, project_id)
    found = await store.find_many(tx, scope, ids)
    return [one for one in found if one.is_shown and one.project_id == project_id]


async def _note(
    tx: Tx,
    scope: Scope,
    action: ActionName,
    done: Sequence[tuple[Memory, dict[str, Any]]],
    data: Sequence[dict[str, Any]],
) -> None:
    before = [(one.id, {**was, "updated_at": one.updated_at.isoformat()}) for one, was in done]
    action_ids = await actions.insert_all(tx, scope, action, before)
    events = [
        (one.id, {**event, "action_id": str(action_id)})
        for (one, _), event, action_id in zip(done, data, action_ids, strict=True)
    ]
    await record_all(tx, scope, MEMORY, f"consolidation_{action}", events)
