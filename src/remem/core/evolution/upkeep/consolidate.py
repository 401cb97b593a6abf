"""Merge memories that say the same, lower what nobody uses, raise what is used often."""

import time
from collections.abc import Sequence
from datetime import timedelta
from uuid import UUID

import structlog

from remem.core.analysis import analyse, analyse_each
from remem.core.errors import Unavailable
from remem.core.evolution.model import Work
from remem.core.evolution.upkeep import store
from remem.core.index.kinds import MEMORY
from remem.core.memories.browse import find_shown
from remem.core.memories.consolidation.adjust import decay_memories, promote_memories
from remem.core.memories.consolidation.merge import merge_same
from remem.core.memories.model import DERIVE, Memory
from remem.core.memories.rules.merge import merged
from remem.core.memories.rules.sameness.compare import Compared, Sameness, compare
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.core.time import now

CLOSE = 0.92
NEIGHBOURS = 6
BATCH = 250
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
        if time.monotonic() >= deadline:
            return Work(done, left=True)
        async with ports.db.transaction(scope) as tx:
            ids = await store.not_compared(tx, scope, project_id, model, BATCH)
        if not ids:
            return Work(done)
        done["merged"] += await _compare(ports, scope, project_id, ids)
        done["compared"] += len(ids)
        async with ports.db.transaction(scope) as tx:
            await store.mark(tx, scope, "consolidation", ids)


async def _compare(ports: Ports, scope: Scope, project_id: UUID, ids: Sequence[UUID]) -> int:
    """Merge each with at most one neighbour: what is left is compared with that one's later."""
    pairs = await _close_pairs(ports, scope, project_id, ids)
    said = [(_said(one), _said(other)) for one, other, _ in pairs]
    different: Sameness = "different"
    verdicts = await analyse_each(ports, different, compare, said)
    done: set[UUID] = set()
    count = 0
    for (one, other, cosine), verdict in zip(pairs, verdicts, strict=True):
        if done & {one.id, other.id} or not await _is_same(ports, one, other, verdict):
            continue
        if await _merge(ports, scope, one, other, cosine):
            done |= {one.id, other.id}
            count += 1
    return count


async def _close_pairs(
    ports: Ports, scope: Scope, project_id: UUID, ids: Sequence[UUID]
) -> list[tuple[Memory, Memory, float]]:
    """Each pair above the threshold once, in the order of the ids and the nearest first."""
    async with ports.db.transaction(scope) as tx:
        near = await ports.vectors.near_each(
            tx, scope, ports.embedder.model, MEMORY, project_id, ids, CLOSE, NEIGHBOURS
        )
        named = {id for one, found in near.items() if found for id in (one, *(x.id for x in found))}
        shown = {one.id: one for one in await find_shown(tx, scope, sorted(named))}
    pairs: dict[frozenset[UUID], tuple[Memory, Memory, float]] = {}
    for id in ids:
        for other in near.get(id, []) if id in shown else []:
            if other.id in shown and _may_be_same(shown[id], shown[other.id]):
                pair = (shown[id], shown[other.id], other.cosine)
                pairs.setdefault(frozenset((id, other.id)), pair)
    return list(pairs.values())


def _may_be_same(one: Memory, other: Memory) -> bool:
    """What follows from a memory stands beside it on purpose."""
    return (one.source == DERIVE) == (other.source == DERIVE)


async def _is_same(ports: Ports, one: Memory, other: Memory, verdict: Sameness) -> bool:
    if verdict != "read" or ports.reader is None:
        return verdict == "same"
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
            if ids:
                count += await decay_memories(tx, scope, project_id, ids, moment - UNUSED)
                await store.mark(tx, scope, "decay", ids, moment)
        if not ids:
            return count


async def _promote(ports: Ports, scope: Scope, project_id: UUID) -> int:
    count = 0
    while True:
        async with ports.db.transaction(scope) as tx:
            ids = await store.to_promote(tx, scope, project_id, BATCH)
            if ids:
                count += await promote_memories(tx, scope, project_id, ids)
                await store.mark(tx, scope, "promote", ids)
        if not ids:
            return count
