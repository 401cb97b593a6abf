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
from remem.core.search.remembered import key_of, look_up, remember
from remem.core.search.signals import Where

_SHAPE = TypeAdapter(tuple[list[tuple[str, Ranked]], int])


async def find(ports: Ports, scope: Scope, query: Query, offset: int = 0) -> Items:
    """`query.kinds` says what is looked for. In a project nobody has made there is nothing."""
    started = time.perf_counter()
    check(query)
    async with ports.db.transaction(scope) as tx:
        projects = await _projects(tx, scope, query)
        key = f"{key_of(ports, scope, await written(tx, scope, projects), query)}:{offset}"
        answer = await look_up(ports, key, _SHAPE)
        cached = answer is not None
        if answer is None:
            ranked, is_whole = await _all_kinds(ports, tx, scope, query, projects)
            answer = ranked[offset : offset + query.limit], len(ranked)
            if is_whole:
                await remember(ports, key, answer, _SHAPE)
        shown, total = answer
        items = await _items(tx, scope, shown, query.as_of)
    return Items(items, total, (time.perf_counter() - started) * 1_000, cached)


async def _projects(tx: Tx, scope: Scope, query: Query) -> list[UUID] | None:
    try:
        return await resolve_all(tx, scope, query.project, inherit=query.inherit)
    except NotFound:
        return []


async def _all_kinds(
    ports: Ports, tx: Tx, scope: Scope, query: Query, projects: Sequence[UUID] | None
) -> tuple[list[tuple[str, Ranked]], bool]:
    ranked: list[tuple[str, Ranked]] = []
    is_whole = True
    for kind in query.kinds:
        order = await _ordered(ports, tx, scope, query, Where(kind, projects, query.filters))
        ranked += [(kind, one) for one in order.ranked]
        is_whole &= order.is_whole
    ranked.sort(key=lambda each: (-each[1].score, -each[1].id.int))
    return ranked, is_whole


async def _ordered(ports: Ports, tx: Tx, scope: Scope, query: Query, where: Where) -> Order:
    if not query.text.strip():
        return Order([])
    if where.kind == MEMORY and query.as_of:
        return await rank_past(ports, tx, scope, query, where)
    order = await rank(ports, tx, scope, query, where)
    if where.kind == MEMORY and query.mode == "deep":
        return replace(order, ranked=await expand(tx, scope, order.ranked))
    return order


async def _items(
    tx: Tx, scope: Scope, shown: Sequence[tuple[str, Ranked]], as_of: datetime | None
) -> list[Item]:
    ids = {kind: [one.id for each, one in shown if each == kind] for kind in (MEMORY, CHUNK)}
    memories = await read_many(tx, scope, ids[MEMORY])
    if not as_of:
        holding = {sign.id for sign in await store.signs(tx, scope, MEMORY, ids[MEMORY])}
        memories = {id: memory for id, memory in memories.items() if id in holding}
    chunks = await store.candidates(tx, scope, ids[CHUNK]) if ids[CHUNK] else {}
    items = [
        Item(one.score, one.parts, memories.get(one.id), chunks.get(one.id)) for _, one in shown
    ]
    return [item for item in items if item.memory or item.chunk]
