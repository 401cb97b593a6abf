"""Answer a query: by meaning and by word, scored, grouped, best first."""

import time
from collections.abc import Sequence
from datetime import datetime

from pydantic import TypeAdapter

from remem.core.db import Tx
from remem.core.index.kinds import CHUNK
from remem.core.ports import Ports
from remem.core.projects.resolve import resolve_all, written
from remem.core.scope import Scope
from remem.core.search import store
from remem.core.search.fuse import newest
from remem.core.search.group import best, group
from remem.core.search.model import Found, Order, Query, Recall
from remem.core.search.rank import check, rank
from remem.core.search.remembered import TTL_S, key_of, look_up, remember
from remem.core.search.signals import Where
from remem.core.time import now

_SHAPE = TypeAdapter(list[Found])


async def recall(ports: Ports, scope: Scope, query: Query) -> Recall:
    """An empty query gives what was saved last."""
    started = time.perf_counter()
    check(query)
    async with ports.db.transaction(scope) as tx:
        projects = await resolve_all(tx, scope, query.project, inherit=query.inherit)
        key = key_of(ports, scope, await written(tx, scope, projects), query)
        found = await look_up(ports, key, _SHAPE)
        cached, is_whole = found is not None, True
        if found is None:
            where = Where(CHUNK, projects, query.filters)
            found, is_whole = await _look(ports, tx, scope, query, where)
    if not cached and is_whole:
        await remember(ports, key, found, _SHAPE, _ttl_s(found, now()))
    return Recall(found, (time.perf_counter() - started) * 1_000, cached)


async def _look(
    ports: Ports, tx: Tx, scope: Scope, query: Query, where: Where
) -> tuple[list[Found], bool]:
    """And whether it was looked for in every way; if not, it is not to be given again."""
    order = await (rank if query.text.strip() else _recent)(ports, tx, scope, query, where)
    shown = best(order.ranked, query.limit)
    texts = await store.candidates(tx, scope, [one.id for one in shown])
    return group(shown, texts), order.is_whole


async def _recent(ports: Ports, tx: Tx, scope: Scope, query: Query, where: Where) -> Order:
    ids = await store.most_recent(tx, scope, where.filters, where.projects, query.limit)
    known = {sign.id: sign for sign in await store.signs(tx, scope, CHUNK, ids)}
    return Order(newest([known[id] for id in ids if id in known], now()))


def _ttl_s(found: Sequence[Found], now: datetime) -> float:
    """What is to be forgotten meanwhile is not in an answer that outlives it."""
    ends = [one.document.forget_after for one in found if one.document.forget_after]
    return min([TTL_S, *((end - now).total_seconds() for end in ends)])
