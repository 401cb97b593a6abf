"""Merge memories that say the same, decay unused ones, and promote often used ones."""

import time
from collections.abc import Sequence
from datetime import timedelta
from uuid import UUID

import structlog

from remem.core.analysis import analyse, analyse_each
from remem.core.errors import Unavailable
from remem.core.evolution.model import Work
from remem.core.evolution.upkeep import evolution_upkeep_store
from remem.core.index.kinds import MEMORY
from remem.core.memories.browse import find_shown
from remem.core.memories.consolidation.adjust import decay_memories, promote_memories
from remem.core.memories.consolidation.merge import merge_same
from remem.core.memories.model import DERIVE, Memory
from remem.core.memories.rules.merge import merge_contents
from remem.core.memories.rules.sameness.compare import Compared, Sameness, compare
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.core.time import now
from remem.core.vector_models.current import current_embedder, current_names

MIN_COSINE = 0.92
NEIGHBOURS = 6
BATCH = 250
# The reader's minimum probability, in both directions, that two statements say the same.
MIN_CERTAINTY = 0.9
DECAY_AGE = timedelta(days=evolution_upkeep_store.DECAY_DAYS)

log = structlog.get_logger()


async def consolidate(ports: Ports, scope: Scope, project_id: UUID | None, deadline: float) -> Work:
    """Consolidate one project. Each memory is compared with its neighbours once."""
    assert project_id is not None, "a job of this type has a project"
    done = {"decayed": 0, "promoted": 0, "merged": 0, "compared": 0}
    done["decayed"] = await _decay(ports, scope, project_id)
    done["promoted"] = await _promote(ports, scope, project_id)
    while True:
        if time.monotonic() >= deadline:
            return Work(done, has_more=True)
        async with ports.db.transaction(scope) as tx:
            models = await current_names(ports, tx)
            ids = await evolution_upkeep_store.not_compared(tx, project_id, models, BATCH)
        if not ids:
            return Work(done)
        done["merged"] += await _compare(ports, scope, project_id, ids)
        done["compared"] += len(ids)
        async with ports.db.transaction(scope) as tx:
            await evolution_upkeep_store.mark(tx, "consolidation", ids)


async def _compare(ports: Ports, scope: Scope, project_id: UUID, ids: Sequence[UUID]) -> int:
    """Merge each memory with at most one neighbour; later runs compare the result with others."""
    pairs = await _close_pairs(ports, scope, project_id, ids)
    comparable_pairs = [(_comparable(first), _comparable(second)) for first, second, _ in pairs]
    different: Sameness = "different"
    verdicts = await analyse_each(ports, different, compare, comparable_pairs)
    done: set[UUID] = set()
    count = 0
    for (first, second, cosine), verdict in zip(pairs, verdicts, strict=True):
        if done & {first.id, second.id} or not await _is_same(ports, first, second, verdict):
            continue
        if await _merge(ports, scope, first, second, cosine):
            done |= {first.id, second.id}
            count += 1
    return count


async def _close_pairs(
    ports: Ports, scope: Scope, project_id: UUID, ids: Sequence[UUID]
) -> list[tuple[Memory, Memory, float]]:
    """Pairs above the threshold without duplicates, in the order of the ids, nearest first."""
    async with ports.db.transaction(scope) as tx:
        model = (await current_embedder(ports, tx)).model
        neighbours_of = await ports.vectors.near_each(
            tx, model, MEMORY, project_id, ids, MIN_COSINE, NEIGHBOURS
        )
        named_ids = {
            id
            for memory_id, neighbours in neighbours_of.items()
            if neighbours
            for id in (memory_id, *(neighbour.id for neighbour in neighbours))
        }
        shown = {memory.id: memory for memory in await find_shown(tx, sorted(named_ids))}
    pairs: dict[frozenset[UUID], tuple[Memory, Memory, float]] = {}
    for id in ids:
        for neighbour in neighbours_of.get(id, []) if id in shown else []:
            if neighbour.id in shown and _may_be_same(shown[id], shown[neighbour.id]):
                pair = (shown[id], shown[neighbour.id], neighbour.cosine)
                pairs.setdefault(frozenset((id, neighbour.id)), pair)
    return list(pairs.values())


def _may_be_same(first: Memory, second: Memory) -> bool:
    """Whether both or neither are derived: a derived memory is similar to its source on purpose."""
    return (first.source == DERIVE) == (second.source == DERIVE)


async def _is_same(ports: Ports, first: Memory, second: Memory, verdict: Sameness) -> bool:
    if verdict != "read" or ports.reader is None:
        return verdict == "same"
    try:
        [forward] = await ports.reader.judge([first.content], second.content)
        [backward] = await ports.reader.judge([second.content], first.content)
    except Unavailable as error:
        log.warning("reader_unused", purpose="consolidation", error=error.code)
        return False
    return min(forward.same, backward.same) >= MIN_CERTAINTY


def _comparable(memory: Memory) -> Compared:
    moments = (memory.valid_from, memory.valid_until, memory.due_at, memory.occurred_at)
    return Compared(memory.content, memory.speaker, memory.dates, moments)


async def _merge(ports: Ports, scope: Scope, first: Memory, second: Memory, cosine: float) -> bool:
    """Merge the lower-ranked memory into the other: by quality, details, accesses, then age."""
    copy, kept = sorted((first, second), key=_merge_rank)
    content = None
    if copy.content.casefold() != kept.content.casefold():
        content = await _merge_by_model(ports, [kept.content, copy.content])
    return await merge_same(ports, scope, copy, kept, cosine, content)


async def _merge_by_model(ports: Ports, contents: list[str]) -> str | None:
    """The merged text of the model, or None if there is no model, or it lost or added something:
    then the richer statement stays unchanged."""
    if not ports.judge.asks_model:
        return None
    content = await ports.judge.merge(contents)
    by_rules = await analyse(ports, content, merge_contents, contents)
    return None if content in (by_rules, *contents) else content


def _merge_rank(memory: Memory) -> tuple[int, int, int, int]:
    accepted = memory.context.get("review") == "accepted"
    good = 2 if accepted else {"bad": 0, "unknown": 1, "good": 2}[memory.quality]
    words = len(set(memory.content.casefold().split()))
    return good, words, memory.access_count, -memory.id.int


async def _decay(ports: Ports, scope: Scope, project_id: UUID) -> int:
    moment, count = now(), 0
    while True:
        async with ports.db.transaction(scope) as tx:
            ids = await evolution_upkeep_store.to_decay(tx, project_id, moment, BATCH)
            if ids:
                count += await decay_memories(tx, project_id, ids, moment - DECAY_AGE)
                await evolution_upkeep_store.mark(tx, "decay", ids, moment)
        if not ids:
            return count


async def _promote(ports: Ports, scope: Scope, project_id: UUID) -> int:
    count = 0
    while True:
        async with ports.db.transaction(scope) as tx:
            ids = await evolution_upkeep_store.to_promote(tx, project_id, BATCH)
            if ids:
                count += await promote_memories(tx, project_id, ids)
                await evolution_upkeep_store.mark(tx, "promote", ids)
        if not ids:
            return count
