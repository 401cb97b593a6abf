"""Answer a query: by meaning and by word, scored, grouped, best first."""

import time

from pydantic import TypeAdapter

from remem.core.db import Tx
from remem.core.index.kinds import CHUNK
from remem.core.ports import Ports
from remem.core.projects.resolve import resolve_all, written
from remem.core.scope import Scope
from remem.core.search import store
from remem.core.search.fuse import newest
from remem.core.search.group import best, group
from remem.core.search.model import Order, Query, Ranked, Recall
from remem.core.search.rank import check, rank
from remem.core.search.remembered import key_of, look_up, remember
from remem.core.search.signals import Where
from remem.core.search.variants import in_several_ways
from remem.core.time import now

_SHAPE = TypeAdapter(list[Ranked])


async def recall(ports: Ports, scope: Scope, query: Query) -> Recall:
    """An empty query gives what was saved last."""
    if query.variants:
        return await in_several_ways(ports, scope, query, recall)
    started = time.perf_counter()
    check(query)
    async with ports.db.transaction(scope) as tx:
        projects = await resolve_all(tx, scope, query.project, inherit=query.inherit)
        key = key_of(ports, scope, await written(tx, scope, projects), query)
        shown = await look_up(ports, key, _SHAPE)
        cached = shown is not None
        if shown is None:
            order = await _order(ports, tx, scope, query, Where(CHUNK, projects, query.filters))
            shown = best(order.ranked, query.limit)
            if order.is_whole:
                await remember(ports, key, shown, _SHAPE)
        texts = await store.candidates(tx, scope, [one.id for one in shown])
    return Recall(group(shown, texts), (time.perf_counter() - started) * 1_000, cached)


async def _order(ports: Ports, tx: Tx, scope: Scope, query: Query, where: Where) -> Order:
    search = rank if query.text.strip() else _recent
    return await search(ports, tx, scope, query, where)


async def _recent(ports: Ports, tx: Tx, scope: Scope, query: Query, where: Where) -> Order:
    ids = await store.most_recent(tx, scope, where.filters, where.projects, query.limit)
    known = {sign.id: sign for sign in await store.signs(tx, scope, CHUNK, ids)}
    return Order(newest([known[id] for id in ids if id in known], now()))
