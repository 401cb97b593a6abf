"""The ranking for a query, cached or computed, with the current texts."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from pydantic import TypeAdapter

from remem.core.db import Tx
from remem.core.index.kinds import CHUNK, MEMORY
from remem.core.memories.browse import read_many
from remem.core.memories.model import Memory
from remem.core.ports import Ports
from remem.core.projects.resolve import written
from remem.core.scope import Scope
from remem.core.search import store
from remem.core.search.cache import key_of, look_up, store_answer
from remem.core.search.model import Hit, Mode, Query, Ranked
from remem.core.search.newer_first import chunks_of
from remem.core.search.rank import order_for
from remem.core.search.replaced import Replaced, replacements
from remem.core.telemetry import timed

# What is shown of all that is ranked.
Choose = Callable[[Sequence[Ranked]], list[Ranked]]
_SHAPE = TypeAdapter(tuple[list[Ranked], int])


class Answered(NamedTuple):
    """What is chosen with its hits, how many there are in all, whether the order was cached, and
    how it was made."""

    hits: list[tuple[Ranked, Hit]]
    total: int
    cached: bool
    mode: Mode


async def answer(
    ports: Ports,
    tx: Tx,
    scope: Scope,
    query: Query,
    projects: Sequence[UUID] | None,
    choose: Choose,
    part: str = "",
) -> Answered:
    """A cached ranking is computed again if an item in it is gone. `part` names the selection."""
    with timed("search", mode=query.mode):
        return await _answer(ports, tx, scope, query, projects, choose, part)


async def _answer(
    ports: Ports,
    tx: Tx,
    scope: Scope,
    query: Query,
    projects: Sequence[UUID] | None,
    choose: Choose,
    part: str,
) -> Answered:
    key = f"{key_of(ports, scope, await written(tx, scope, projects), query)}:{part}"
    if known := await look_up(ports, key, _SHAPE):
        shown, total = known
        hits = await _hits(tx, scope, shown, query.as_of, None)
        if len(hits) == len(shown):
            return Answered(hits, total, True, query.mode)
    order = await order_for(ports, tx, scope, query, projects)
    shown, total = choose(order.ranked), len(order.ranked)
    if order.is_whole:
        await store_answer(ports, key, (shown, total), _SHAPE)
    hits = await _hits(tx, scope, shown, query.as_of, order.replaced)
    return Answered(hits, total, False, order.mode or query.mode)


async def _hits(
    tx: Tx,
    scope: Scope,
    shown: Sequence[Ranked],
    as_of: datetime | None,
    replaced: Replaced | None,
) -> list[tuple[Ranked, Hit]]:
    """Those that are there; what is gone or past its time is left out, however it went. What is
    outdated is looked up, unless that was done already."""
    memories = await _memories(tx, scope, [id for one in shown for id in one.memory_ids], as_of)
    chunks = await store.candidates(tx, scope, [one.chunk_id for one in shown if one.chunk_id])
    if replaced is None:
        replaced = {} if as_of else await replacements(tx, scope, chunks_of(shown))
    found = []
    for one in shown:
        chunk = chunks.get(one.chunk_id) if one.chunk_id else None
        said = tuple(memories[id] for id in one.memory_ids if id in memories)
        lone = one.group_id in one.memory_ids
        if said if lone else chunk:
            kind = MEMORY if said and one.kind == MEMORY else CHUNK
            hit = Hit(one.score, one.parts, kind, lone, chunk, said, one.is_weak)
            by = replaced.get(one.chunk_id) if one.chunk_id and not lone else None
            found.append((one, replace(hit, replaced_by=by[0]) if by else hit))
    return found


async def _memories(
    tx: Tx, scope: Scope, ids: Sequence[UUID], as_of: datetime | None
) -> dict[UUID, Memory]:
    if not ids:
        return {}
    memories = await read_many(tx, scope, ids)
    if as_of:
        return memories
    present = {item.id for item in await store.features(tx, scope, MEMORY, ids)}
    return {id: memory for id, memory in memories.items() if id in present}
