"""Search what was valid at another time: replaced memories are not in the indexes any more."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from remem.core.db import Tx
from remem.core.errors import Unavailable
from remem.core.index.bm25 import bm25, rarity
from remem.core.index.kinds import MEMORY
from remem.core.language.tokens import query_terms, terms
from remem.core.memories.browse import current_at
from remem.core.memories.model import Memory
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.core.search.evidence import Floats, Pool, weigh
from remem.core.search.fuse import fuse
from remem.core.search.model import Features, Order, Query, Where
from remem.core.search.read import plan_of
from remem.core.search.strategies import strategy_of
from remem.core.text import tags_without
from remem.core.time import now

READ = 2_000
# Of those that are in no index, as many are embedded anew as one may wait for.
EMBEDDED = 32


async def rank_as_of(ports: Ports, tx: Tx, scope: Scope, query: Query, where: Where) -> Order:
    assert query.as_of is not None
    then = await current_at(tx, scope, query.as_of, where.projects, READ)
    found = [memory for memory in then if _fits(memory, query)]
    plan = await plan_of(tx, scope, query)
    pool = _pool(found, query_terms(plan.text))
    if strategy_of(query).vectors:
        pool = await _with_cosines(ports, tx, scope, pool, found, plan.embedded)
    ranked = fuse(pool, weigh(pool, plan), query.fusion, now(), explain=query.explain)
    return Order(ranked, pool.is_whole)


def _fits(memory: Memory, query: Query) -> bool:
    filters = query.filters
    return (
        (not filters.categories or memory.category in filters.categories)
        and not tags_without(filters.tags, memory.tags)
        and (filters.created_after is None or memory.created_at >= filters.created_after)
        and (filters.created_before is None or memory.created_at < filters.created_before)
        and filters.metadata.items() <= memory.context.items()
    )


def _pool(found: Sequence[Memory], asked: Sequence[str]) -> Pool:
    counts = [terms(f"{memory.title or ''}\n{memory.content}") for memory in found]
    frequency = Counter(term for one in counts for term in one)
    tf = np.array([[one[term] for term in asked] for one in counts], dtype=float)
    length = np.array([one.total() for one in counts], dtype=float)
    weight = np.array([rarity(len(found), frequency[term]) for term in asked])
    return Pool(
        features=[_features_of(memory) for memory in found],
        cosine=np.zeros(len(found)),
        tf=tf.reshape(len(found), len(asked)),
        length=length / max(float(length.mean()), 1.0) if len(found) else length,
        weight=weight,
        asked_weight=float(weight.sum()),
        memories=[(memory.id,) for memory in found],
    )


def _features_of(memory: Memory) -> Features:
    return Features(
        id=memory.id,
        document_id=memory.id,
        thread_id=memory.session_id or memory.id,
        place=0,
        speaker=(memory.speaker or "").lower(),
        said_at=memory.occurred_at or memory.said_at or memory.created_at,
        asks=0.0,
        tells_time=bool(memory.occurred_at or memory.due_at),
        chars=len(memory.content),
        created_at=memory.created_at,
        kind=MEMORY,
    )


async def _with_cosines(
    ports: Ports, tx: Tx, scope: Scope, pool: Pool, found: Sequence[Memory], asked: str
) -> Pool:
    """The index has the current ones; of the others, the likeliest are embedded again."""
    try:
        vector = await ports.embedder.embed_query(asked)
        ids = [memory.id for memory in found]
        model = ports.embedder.model
        near = await ports.vectors.cosines(tx, scope, model, MEMORY, vector, ids)
        known = {hit.id: hit.cosine for hit in near}
        left = [memory for memory in _by_words(pool, found) if memory.id not in known][:EMBEDDED]
        made = await ports.embedder.embed([memory.content for memory in left])
    except Unavailable:
        return replace(pool, is_whole=False)
    known |= {memory.id: float(vector @ one) for memory, one in zip(left, made, strict=True)}
    cosine = np.array([known.get(id, 0.0) for id in ids])
    return replace(pool, cosine=cosine)


def _by_words(pool: Pool, found: Sequence[Memory]) -> list[Memory]:
    score: Floats = bm25(pool.tf, pool.length, pool.weight, 1.0)
    return [found[n] for n in np.argsort(-score, kind="stable")]
