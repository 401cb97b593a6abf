"""Merge memories that say the same, lower what nobody uses, raise what is used often."""

import time
from datetime import timedelta
from uuid import UUID

import structlog

from remem.core.analysis import analyse
from remem.core.errors import Unavailable
from remem.core.evolution.jobs import store
from remem.core.evolution.model import Work
from remem.core.index.kinds import MEMORY
from remem.core.memories.browse import find_shown
from remem.core.memories.consolidation.adjust import decay_memory, promote_memory
from remem.core.memories.consolidation.merge import merge_same
from remem.core.memories.model import DERIVE, Memory
from remem.core.memories.rules.merge import merged
from remem.core.memories.rules.sameness import Compared, compare
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.core.time import now

CLOSE = 0.92
NEIGHBOURS = 6
BATCH = 50
# How sure the reader must be, asked in both directions, that two statements say the same.
SURE = 0.9
UNUSED = timedelta(days=store.DECAY_DAYS)

log = structlog.get_logger()


async def consolidate(ports: Ports, scope: Scope, project_id: UUID | None, deadline: float) -> Work:
    """Of one project. Each memory is compared with its neighbours once."""
    assert project_id is not None, "a job of this type has a project"
    done = {"decayed": 0, "promoted": 0, "merged": 0, "compared": 0}
    done["decayed"] = await _decay(ports, scope, project_id)
    done["promoted"] = await _promote(ports, scope, project_id)
    model = ports.embedder.model
    while True:
        async with ports.db.transaction(scope) as tx:
            ids = await store.not_compared(tx, scope, project_id, model, BATCH)
        if not ids:
            return Work(done)
        for id in ids:
            if time.monotonic() >= deadline:
                return Work(done, left=True)
            done["merged"] += await _compare_one(ports, scope, id)
            done["compared"] += 1


async def _compare_one(ports: Ports, scope: Scope, id: UUID) -> int:
    """Merge it with at most one neighbour: what is left is compared with that one's later."""
    memory, near = await _neighbours(ports, scope, id)
    merged = 0
    for other, cosine in near:
        if memory and await _say_the_same(ports, memory, other):
            merged = int(await _merge(ports, scope, memory, other, cosine))
            break
    async with ports.db.transaction(scope) as tx:
        await store.mark(tx, scope, "consolidation", [id])
    return merged


async def _neighbours(
    ports: Ports, scope: Scope, id: UUID
) -> tuple[Memory | None, list[tuple[Memory, float]]]:
    """Those above the threshold, the nearest first."""
    model = ports.embedder.model
    async with ports.db.transaction(scope) as tx:
        memories = await find_shown(tx, scope, [id])
        points = await ports.vectors.read(tx, scope, model, MEMORY, [id])
        if not memories or not points:
            return None, []
        place = [memories[0].project_id]
        found = await ports.vectors.search(
            tx, scope, model, MEMORY, points[0].vector, place, NEIGHBOURS
        )
        cosines = {one.id: one.cosine for one in found if one.cosine > CLOSE and one.id != id}
        others = await find_shown(tx, scope, list(cosines))
    return memories[0], [(other, cosines[other.id]) for other in others]


async def _say_the_same(ports: Ports, one: Memory, other: Memory) -> bool:
    if DERIVE in (one.source, other.source) and one.source != other.source:
        # A part of a memory, or what follows from it, stands beside it on purpose.
        return False
    verdict = await analyse(ports, "different", compare, _said(one), _said(other))
    if verdict != "read":
        return verdict == "same"
    if ports.reader is None:
        return False
    try:
        [there] = await ports.reader.judge([one.content], other.content)
        [back] = await ports.reader.judge([other.content], one.content)
    except Unavailable as error:
        log.warning("reader_unused", purpose="consolidation", error=error.code)
        return False
    return min(there.same, back.same) >= SURE


def _said(memory: Memory) -> Compared:
    moments = (memory.valid_from, memory.valid_until, memory.due_at, memory.occurred_at)
    return Compared(memory.content, memory.speaker, memory.dates, moments)


async def _merge(ports: Ports, scope: Scope, one: Memory, other: Memory, cosine: float) -> bool:
    """Keep the one that says more; of equals the one that is read more, then the older."""
    copy, kept = sorted((one, other), key=_worth)
    said = None
    if copy.content.casefold() != kept.content.casefold():
        said = await _words_of_model(ports, [kept.content, copy.content])
    return await merge_same(ports, scope, copy, kept, cosine, said)


async def _words_of_model(ports: Ports, contents: list[str]) -> str | None:
    """None where there is no model, or it lost or added something: then the richer stays as it
    is."""
    if not ports.judge.asks_model:
        return None
    said = await ports.judge.merge(contents)
    by_rules = await analyse(ports, said, merged, contents)
    return None if said in (by_rules, *contents) else said


def _worth(memory: Memory) -> tuple[int, int, int, int]:
    accepted = memory.context.get("review") == "accepted"
    good = 2 if accepted else {"bad": 0, "unknown": 1, "good": 2}[memory.quality]
    words = len(set(memory.content.casefold().split()))
    return good, words, memory.access_count, -memory.id.int


async def _decay(ports: Ports, scope: Scope, project_id: UUID) -> int:
    moment, count = now(), 0
    while True:
        async with ports.db.transaction(scope) as tx:
            ids = await store.to_decay(tx, scope, project_id, moment, BATCH)
            for id in ids:
                count += await decay_memory(ports, tx, scope, id, moment - UNUSED)
            await store.mark(tx, scope, "decay", ids, moment)
        if not ids:
            return count


async def _promote(ports: Ports, scope: Scope, project_id: UUID) -> int:
    count = 0
    while True:
        async with ports.db.transaction(scope) as tx:
            ids = await store.to_promote(tx, scope, project_id, BATCH)
            for id in ids:
                count += await promote_memory(ports, tx, scope, id)
            await store.mark(tx, scope, "promote", ids)
        if not ids:
            return count
