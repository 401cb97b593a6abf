"""Find memories, and chunks beside them, as one ranked list."""

import time
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from uuid import UUID

from pydantic import TypeAdapter

from remem.core.db import Tx
from remem.core.errors import NotFound
from remem.core.index.kinds import CHUNK, MEMORY
from remem.core.memories.browse import read_many
from remem.core.ports import Ports
from remem.core.projects.resolve import resolve_all, written
from remem.core.scope import Scope
from remem.core.search import store
from remem.core.search.expand import expand
from remem.core.search.model import Item, Items, Order, Query, Ranked
from remem.core.search.past import rank_past
from remem.core.search.rank import check, rank
from remem.core.search.remembered import TTL_S, key_of, look_up, remember
from remem.core.search.signals import Where
from remem.core.time import now

_SHAPE = TypeAdapter(tuple[list[Item], int])


async def find(ports: Ports, scope: Scope, query: Query, offset: int = 0) -> Items:
    """`query.kinds` says what is looked for. In a project nobody has made there is nothing."""
    started = time.perf_counter()
    check(query)
    async with ports.db.transaction(scope) as tx:
        try:
            projects = await resolve_all(tx, scope, query.project, inherit=query.inherit)
        except NotFound:
            projects = []
        key = f"{key_of(ports, scope, await written(tx, scope, projects), query)}:{offset}"
        answer = await look_up(ports, key, _SHAPE)
        cached, is_whole = answer is not None, True
        if answer is None:
            answer, is_whole = await _look(ports, tx, scope, query, projects, offset)
    if not cached and is_whole:
        await remember(ports, key, answer, _SHAPE, _ttl_s(answer[0], now()))
    return Items(answer[0], answer[1], (time.perf_counter() - started) * 1_000, cached)


async def _look(
    ports: Ports,
    tx: Tx,
    scope: Scope,
    query: Query,
    projects: Sequence[UUID] | None,
    offset: int,
) -> tuple[tuple[list[Item], int], bool]:
    ranked: list[tuple[str, Ranked]] = []
    is_whole = True
    for kind in query.kinds:
        order = await _ordered(ports, tx, scope, query, Where(kind, projects, query.filters))
        ranked += [(kind, one) for one in order.ranked]
        is_whole &= order.is_whole
    ranked.sort(key=lambda each: (-each[1].score, -each[1].id.int))
    shown = ranked[offset : offset + query.limit]
    return (await _items(tx, scope, shown), len(ranked)), is_whole


async def _ordered(ports: Ports, tx: Tx, scope: Scope, query: Query, where: Where) -> Order:
    if not query.text.strip():
        return Order([])
    if where.kind == MEMORY and query.as_of:
        return await rank_past(ports, tx, scope, query, where)
    order = await rank(ports, tx, scope, query, where)
    if where.kind == MEMORY and query.mode == "deep":
        return replace(order, ranked=await expand(tx, scope, order.ranked))
    return order


async def _items(tx: Tx, scope: Scope, shown: Sequence[tuple[str, Ranked]]) -> list[Item]:
    ids = {kind: [one.id for each, one in shown if each == kind] for kind in (MEMORY, CHUNK)}
    memories = await read_many(tx, scope, ids[MEMORY])
    chunks = await store.candidates(tx, scope, ids[CHUNK]) if ids[CHUNK] else {}
    items = [
        Item(one.score, one.parts, memories.get(one.id), chunks.get(one.id)) for _, one in shown
    ]
    return [item for item in items if item.memory or item.chunk]


def _ttl_s(items: Sequence[Item], now: datetime) -> float:
    """What is over meanwhile is not in an answer that outlives it."""
    ends = [item.memory.valid_until for item in items if item.memory and item.memory.valid_until]
    ends += [item.chunk.forget_after for item in items if item.chunk and item.chunk.forget_after]
    return min([TTL_S, *((end - now).total_seconds() for end in ends if end > now)])
