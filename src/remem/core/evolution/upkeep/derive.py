"""Derive facts, due dates, ends and insights from memories that were not processed yet."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from uuid import UUID

import structlog

from remem.core.errors import LimitExceeded, RememError, Unavailable, WaitsForRoom
from remem.core.evolution.model import Work
from remem.core.evolution.upkeep import evolution_upkeep_store
from remem.core.memories.browse import find_shown
from remem.core.memories.derive import derive_memories, undone_splits
from remem.core.memories.insights import derive_insights
from remem.core.memories.model import DERIVE, Memory
from remem.core.ports import Ports
from remem.core.scope import Scope

BATCH = 100

log = structlog.get_logger()


async def derive_all(ports: Ports, scope: Scope, project_id: UUID | None, deadline: float) -> Work:
    """Derive from each memory once. Those for which the plan has no room are left for a later run,
    and the job says so."""
    done = {"derived": 0, "facts": 0, "insights": 0}
    waiting = _Waiting()
    after = None
    while time.monotonic() < deadline:
        async with ports.db.transaction(scope) as tx:
            ids = await evolution_upkeep_store.without_step(tx, "derivation", BATCH, after)
            memories = await find_shown(tx, ids)
            undone = await undone_splits(tx, ids)
        if not ids:
            if waiting.ids and waiting.error:
                raise waiting.error
            return Work(done)
        # Derived memories are not processed again.
        stated = [memory for memory in memories if memory.source != DERIVE]
        whole = [memory for memory in stated if memory.id not in undone]
        done["facts"] += await _derive(ports, scope, whole, waiting)
        done["insights"] += await _derive_insights(ports, scope, stated, waiting)
        processed = [id for id in ids if id not in waiting.ids]
        done["derived"] += len(processed)
        async with ports.db.transaction(scope) as tx:
            await evolution_upkeep_store.mark(tx, "derivation", processed)
        after = ids[-1]
    return Work(done, has_more=True)


@dataclass(slots=True)
class _Waiting:
    """The memories that wait for room in the plan, and why."""

    ids: set[UUID] = field(default_factory=set)
    error: LimitExceeded | None = None

    def add(self, memories: Sequence[Memory], error: LimitExceeded) -> None:
        self.ids |= {memory.id for memory in memories}
        message = (
            f"{len(self.ids)} memories wait to be split or combined:"
            f" the plan's limit of {error.limit} memories is reached."
        )
        self.error = WaitsForRoom(message, error.count, error.limit)


async def _derive_insights(
    ports: Ports, scope: Scope, memories: Sequence[Memory], waiting: _Waiting
) -> int:
    try:
        return await derive_insights(ports, scope, memories)
    except LimitExceeded as error:
        waiting.add(memories, error)
        return 0


async def _derive(ports: Ports, scope: Scope, memories: Sequence[Memory], waiting: _Waiting) -> int:
    """Derive from the memories; return the number of new parts. A memory that fails is skipped for
    good, unless a service was down: that raises, and the job is retried."""
    try:
        return sum(
            derivation.new_count for derivation in await derive_memories(ports, scope, memories)
        )
    except Unavailable:
        raise
    except RememError as error:
        if len(memories) > 1:
            return sum([await _derive(ports, scope, [memory], waiting) for memory in memories])
        if isinstance(error, LimitExceeded):
            waiting.add(memories, error)
        else:
            log.info("derivation_skipped", code=error.code)
        return 0
