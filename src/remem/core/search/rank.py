"""Rank the items that may answer a query."""

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from uuid import UUID

from remem.core.errors import Invalid
from remem.core.index.kinds import CHUNK, MEMORY
from remem.core.ports import Ports
from remem.core.search import store
from remem.core.search.as_of import rank_as_of
from remem.core.search.evidence import weigh
from remem.core.search.expand import expand
from remem.core.search.floor import asked_of, margin, relevance_in_order, with_irrelevant_weak
from remem.core.search.fuse import fuse, newest
from remem.core.search.model import LIMIT_MAX, QUERY_LIMIT, Query, Ranking, Where
from remem.core.search.named import add_named
from remem.core.search.newer_first import newer_first
from remem.core.search.plan import asks_past
from remem.core.search.policy import POLICY
from remem.core.search.prefer_newer import prefer_newer
from remem.core.search.read import plan_query
from remem.core.search.rerank import rerank
from remem.core.search.signals import gather
from remem.core.search.strategies import strategy_of
from remem.core.telemetry import timed
from remem.core.time import now
from remem.core.transaction import Tx

# Judges each candidate alone: whether any stands out is decided after the reader scored the first.
WITHOUT_MARGIN = replace(POLICY, floor_bias=math.inf)


def check(query: Query) -> None:
    if len(query.text) > QUERY_LIMIT:
        raise Invalid("query", f"use at most {QUERY_LIMIT:,} characters")
    if not 1 <= query.limit <= LIMIT_MAX:
        raise Invalid("limit", f"use 1 to {LIMIT_MAX}")


async def rank_query(
    ports: Ports, tx: Tx, query: Query, projects: Sequence[UUID] | None
) -> Ranking:
    """Rank all requested kinds in one list. An empty query returns the newest items."""
    # Chunks have no category.
    kinds = [kind for kind in query.kinds if kind != CHUNK or not query.filters.categories]
    where = Where(tuple(kinds), projects, query.filters)
    if not kinds:
        return Ranking([])
    if not query.text.strip():
        return await _rank_newest(tx, query, where)
    search = _rank_at_other_time if query.as_of else _rank_current
    ranking = await search(ports, tx, query, where)
    if query.mode == "best":
        with timed("search_stage", stage="rerank"):
            # What is far is read too: a text in other words may answer.
            found = _without_weak(query, ranking) if query.for_reading else ranking
            ranking = await rerank(ports, tx, query, found)
        if ranking.prefer_newer and not asks_past(query.text, query.asked_at or now()):
            ranking = replace(ranking, ranked=ranking.prefer_newer(ranking.ranked))
    if not query.for_reading:
        ranking = replace(ranking, ranked=with_irrelevant_weak(ranking.ranked, ranking.asked))
    if query.as_of is None:
        ranking = await newer_first(tx, query, where, ranking)
    ranking = _without_weak(query, ranking)
    return replace(ranking, ranked=relevance_in_order(ranking.ranked))


def _without_weak(query: Query, ranking: Ranking) -> Ranking:
    if query.weak:
        return ranking
    return replace(ranking, ranked=[result for result in ranking.ranked if not result.is_weak])


async def _rank_current(ports: Ports, tx: Tx, query: Query, where: Where) -> Ranking:
    plan = await plan_query(tx, query)
    strategy = strategy_of(query)
    pool = await gather(ports, tx, plan, strategy, where)
    uses_reader = query.mode == "best" and query.as_of is None
    policy = WITHOUT_MARGIN if uses_reader else POLICY
    with timed("search_stage", stage="fuse"):
        evidence = weigh(pool, plan)
        ranked = fuse(pool, evidence, query.fusion, now(), policy, explain=query.explain)
    named_evidence = await add_named(tx, pool, evidence, ranked) if strategy.names else None
    if named_evidence:
        ranked = fuse(pool, named_evidence, query.fusion, now(), policy, explain=query.explain)
    if not uses_reader and not asks_past(query.text, query.asked_at or now()):
        ranked = prefer_newer(pool, ranked)
    if strategy.links and MEMORY in where.kinds:
        ranked = await expand(tx, ranked, where)
    if uses_reader:
        return Ranking(
            ranked,
            pool.is_complete,
            margin=margin(pool, named_evidence or evidence),
            prefer_newer=partial(prefer_newer, pool),
            asked=asked_of(pool, named_evidence or evidence),
        )
    return Ranking(ranked, pool.is_complete)


async def _rank_at_other_time(ports: Ports, tx: Tx, query: Query, where: Where) -> Ranking:
    """Rank memories as they were at that time, and documents that existed then."""
    rankings = []
    if MEMORY in where.kinds:
        rankings.append(await rank_as_of(ports, tx, query, where))
    if CHUNK in where.kinds:
        ends = [end for end in (query.as_of, where.filters.created_before) if end]
        filters = replace(where.filters, created_before=min(ends))
        chunks_then = replace(where, kinds=(CHUNK,), filters=filters)
        rankings.append(await _rank_current(ports, tx, query, chunks_then))
    ranked = [result for ranking in rankings for result in ranking.ranked]
    ranked.sort(key=lambda result: (-result.score, -result.id.int))
    return Ranking(ranked, all(ranking.is_complete for ranking in rankings))


async def _rank_newest(tx: Tx, query: Query, where: Where) -> Ranking:
    features = []
    for kind in where.kinds:
        ids = await store.most_recent(tx, kind, where, query.limit)
        features += await store.features(tx, kind, ids, where)
    features.sort(key=lambda item: (item.created_at, item.document_id), reverse=True)
    return Ranking(newest(features[: query.limit], now()))
