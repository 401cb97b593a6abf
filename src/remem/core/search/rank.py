"""Put what is there into an order for a query."""

import math
from collections.abc import Sequence
from dataclasses import replace
from uuid import UUID

from remem.core.db import Tx
from remem.core.errors import Invalid
from remem.core.index.kinds import CHUNK, MEMORY
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.core.search import store
from remem.core.search.as_of import rank_as_of
from remem.core.search.evidence import weigh
from remem.core.search.expand import expand
from remem.core.search.floor import surplus
from remem.core.search.fuse import fuse, newest
from remem.core.search.model import LIMIT_MAX, QUERY_LIMIT, Order, Query, Where
from remem.core.search.named import add_named
from remem.core.search.newer_first import newer_first
from remem.core.search.policy import POLICY
from remem.core.search.prefer_newer import prefer_newer
from remem.core.search.read import plan_of
from remem.core.search.rerank import rerank
from remem.core.search.signals import gather
from remem.core.search.strategies import strategy_of
from remem.core.telemetry import timed
from remem.core.time import now

# Each candidate by itself: whether anything stands out is said when the first were read.
EACH_ALONE = replace(POLICY, floor_bias=math.inf)


def check(query: Query) -> None:
    if len(query.text) > QUERY_LIMIT:
        raise Invalid("query", f"use at most {QUERY_LIMIT:,} characters")
    if not 1 <= query.limit <= LIMIT_MAX:
        raise Invalid("limit", f"use 1 to {LIMIT_MAX}")


async def order_for(
    ports: Ports, tx: Tx, scope: Scope, query: Query, projects: Sequence[UUID] | None
) -> Order:
    """All kinds that are asked for in one list. An empty query gives what was saved last."""
    # No chunk has a category.
    kinds = [kind for kind in query.kinds if kind != CHUNK or not query.filters.categories]
    where = Where(tuple(kinds), projects, query.filters)
    if not kinds:
        return Order([])
    if not query.text.strip():
        return await _recent(tx, scope, query, where)
    search = _rank_as_of_both if query.as_of else _current
    order = await search(ports, tx, scope, query, where)
    if query.mode == "best":
        with timed("search_stage", stage="rerank"):
            order = await rerank(ports, tx, scope, query, _shown(query, order))
    if query.as_of is None:
        order = await newer_first(tx, scope, query, where, order)
    return _shown(query, order)


def _shown(query: Query, order: Order) -> Order:
    if query.weak:
        return order
    return replace(order, ranked=[one for one in order.ranked if not one.is_weak])


async def _current(ports: Ports, tx: Tx, scope: Scope, query: Query, where: Where) -> Order:
    plan = await plan_of(tx, scope, query)
    strategy = strategy_of(query)
    pool = await gather(ports, tx, scope, plan, strategy, where)
    is_read = query.mode == "best" and query.as_of is None
    policy = EACH_ALONE if is_read else POLICY
    with timed("search_stage", stage="fuse"):
        evidence = weigh(pool, plan)
        ranked = fuse(pool, evidence, query.fusion, now(), policy, explain=query.explain)
    named = await add_named(tx, scope, pool, evidence, ranked) if strategy.names else None
    if named:
        ranked = fuse(pool, named, query.fusion, now(), policy, explain=query.explain)
    if plan.asks_now:
        ranked = prefer_newer(pool, ranked)
    if query.mode == "deep" and MEMORY in where.kinds:
        ranked = await expand(tx, scope, ranked, where)
    if is_read:
        return Order(ranked, pool.is_whole, surplus=surplus(pool, named or evidence))
    return Order(ranked, pool.is_whole)


async def _rank_as_of_both(ports: Ports, tx: Tx, scope: Scope, query: Query, where: Where) -> Order:
    """What was valid at another time: memories as they were then, and documents that were there."""
    found = []
    if MEMORY in where.kinds:
        found.append(await rank_as_of(ports, tx, scope, query, where))
    if CHUNK in where.kinds:
        ends = [end for end in (query.as_of, where.filters.created_before) if end]
        filters = replace(where.filters, created_before=min(ends))
        there = replace(where, kinds=(CHUNK,), filters=filters)
        found.append(await _current(ports, tx, scope, query, there))
    ranked = [one for order in found for one in order.ranked]
    ranked.sort(key=lambda one: (-one.score, -one.id.int))
    return Order(ranked, all(order.is_whole for order in found))


async def _recent(tx: Tx, scope: Scope, query: Query, where: Where) -> Order:
    features = []
    for kind in where.kinds:
        ids = await store.most_recent(tx, scope, kind, where, query.limit)
        features += await store.features(tx, scope, kind, ids, where)
    features.sort(key=lambda item: (item.created_at, item.document_id), reverse=True)
    return Order(newest(features[: query.limit], now()))
