"""Put what is there into an order for a query."""

from collections.abc import Sequence

from remem.core.db import Tx
from remem.core.errors import Invalid
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.core.search import store
from remem.core.search.evidence import weigh
from remem.core.search.fuse import fuse
from remem.core.search.model import LIMIT_MAX, QUERY_LIMIT, Order, Query, Ranked
from remem.core.search.plan import Plan, names_in, read_query
from remem.core.search.renewed import renewed
from remem.core.search.signals import Where, gather
from remem.core.search.strategies import STRATEGIES, Strategy
from remem.core.time import now


def check(query: Query) -> None:
    if len(query.text) > QUERY_LIMIT:
        raise Invalid("query", f"use at most {QUERY_LIMIT:,} characters")
    if not 1 <= query.limit <= LIMIT_MAX:
        raise Invalid("limit", f"use 1 to {LIMIT_MAX}")


async def rank(ports: Ports, tx: Tx, scope: Scope, query: Query, where: Where) -> Order:
    plan = await plan_of(tx, scope, query)
    pool = await gather(ports, tx, scope, plan, strategy_of(query), where)
    ranked = fuse(pool, weigh(pool, plan), query.fusion, now(), explain=query.explain)
    if plan.asks_now:
        ranked = renewed(pool, ranked)
    return Order(near_enough(ranked, query), pool.is_whole)


def near_enough(ranked: Sequence[Ranked], query: Query) -> list[Ranked]:
    return [one for one in ranked if one.parts.text or one.parts.vector >= query.least_cosine]


async def plan_of(tx: Tx, scope: Scope, query: Query) -> Plan:
    names = names_in(query.text)
    speakers = await store.speakers(tx, scope, names) if names else []
    return read_query(query.text, speakers, query.asked_at or now())


def strategy_of(query: Query) -> Strategy:
    return STRATEGIES[query.mode if query.vectors else "fast"]
