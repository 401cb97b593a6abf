"""Answer a query: by meaning and by word, scored, grouped, best first."""

import time

from remem.core.db import Tx
from remem.core.errors import Invalid
from remem.core.ports import Ports
from remem.core.projects.resolve import resolve_all, written
from remem.core.scope import Scope
from remem.core.search import store
from remem.core.search.evidence import weigh
from remem.core.search.fuse import fuse, newest
from remem.core.search.group import best, group
from remem.core.search.model import LIMIT_MAX, QUERY_LIMIT, Found, Query, Ranked, Recall
from remem.core.search.plan import names_in, read_query
from remem.core.search.remembered import key_of, look_up, remember
from remem.core.search.signals import Where, gather
from remem.core.search.strategies import STRATEGIES
from remem.core.time import now


async def recall(ports: Ports, scope: Scope, query: Query) -> Recall:
    """An empty query gives what was saved last."""
    started = time.perf_counter()
    _check(query)
    async with ports.db.transaction(scope) as tx:
        projects = await resolve_all(tx, scope, query.project, inherit=query.inherit)
        key = key_of(ports, scope, await written(tx, scope, projects), query)
        found = await look_up(ports, key)
        cached, is_whole = found is not None, True
        if found is None:
            where = Where(projects, query.filters)
            found, is_whole = await _look(ports, tx, scope, query, where)
    if not cached and is_whole:
        await remember(ports, key, found, now())
    return Recall(found, (time.perf_counter() - started) * 1_000, cached)


async def _look(
    ports: Ports, tx: Tx, scope: Scope, query: Query, where: Where
) -> tuple[list[Found], bool]:
    """And whether it was looked for in every way; if not, it is not to be given again."""
    search = _search if query.text.strip() else _recent
    ranked, is_whole = await search(ports, tx, scope, query, where)
    ranked = best(ranked, query.limit)
    texts = await store.candidates(tx, scope, [one.id for one in ranked])
    return group(ranked, texts), is_whole


def _check(query: Query) -> None:
    if len(query.text) > QUERY_LIMIT:
        raise Invalid("query", f"use at most {QUERY_LIMIT:,} characters")
    if not 1 <= query.limit <= LIMIT_MAX:
        raise Invalid("limit", f"use 1 to {LIMIT_MAX}")


async def _search(
    ports: Ports, tx: Tx, scope: Scope, query: Query, where: Where
) -> tuple[list[Ranked], bool]:
    names = names_in(query.text)
    speakers = await store.speakers(tx, scope, names) if names else []
    plan = read_query(query.text, speakers, query.asked_at or now())
    pool = await gather(ports, tx, scope, plan, STRATEGIES[query.mode], where)
    ranked = fuse(pool, weigh(pool, plan), query.fusion, now())
    near = [one for one in ranked if one.parts.text or one.parts.vector >= query.least_cosine]
    return near, pool.is_whole


async def _recent(
    ports: Ports, tx: Tx, scope: Scope, query: Query, where: Where
) -> tuple[list[Ranked], bool]:
    ids = await store.most_recent(tx, scope, where.filters, where.projects, query.limit)
    known = {sign.id: sign for sign in await store.signs(tx, scope, ids)}
    return newest([known[id] for id in ids if id in known], now()), True
