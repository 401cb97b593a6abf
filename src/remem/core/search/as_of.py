"""Search what was valid at another time; replaced memories are no longer in the indexes."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from remem.core.errors import Unavailable
from remem.core.filters import matches
from remem.core.index.bm25 import bm25, rarity
from remem.core.index.kinds import MEMORY
from remem.core.index.policy import WORD_POLICY
from remem.core.language.tokens import query_terms, terms
from remem.core.language.word_keys import all_keys, query_keys, text_keys
from remem.core.memories.browse import current_at
from remem.core.memories.model import Memory
from remem.core.ports import Ports
from remem.core.search import store
from remem.core.search.evidence import Floats, Pool, weigh
from remem.core.search.fuse import fuse
from remem.core.search.model import Features, Query, Ranking, Where
from remem.core.search.read import plan_query
from remem.core.search.strategies import strategy_of
from remem.core.time import now
from remem.core.transaction import Tx
from remem.core.vector_models.current import current_embedder

MAX_MEMORIES = 2_000
# How many of the memories that are in no index are embedded again, bounded by the latency.
MAX_EMBEDDED = 32


async def rank_as_of(ports: Ports, tx: Tx, query: Query, where: Where) -> Ranking:
    assert query.as_of is not None
    memories_then = await current_at(tx, query.as_of, where.projects, MAX_MEMORIES)
    memories = [memory for memory in memories_then if matches(memory, query.filters)]
    if query.filters.flags:
        flagged = await store.flagged_documents(tx, query.filters.flags)
        memories = [memory for memory in memories if memory.document_id in flagged]
    plan = await plan_query(tx, query)
    pool = _build_pool(memories, plan.text)
    if strategy_of(query).vectors:
        pool = await _with_cosines(ports, tx, pool, memories, plan.embedded)
    ranked = fuse(pool, weigh(pool, plan), query.fusion, now(), explain=query.explain)
    return Ranking(ranked, pool.is_complete)


def _build_pool(memories: Sequence[Memory], query: str) -> Pool:
    texts = [f"{memory.title or ''}\n{memory.content}" for memory in memories]
    counts = [terms(text) for text in texts]
    found = [text_counts | text_keys(text) for text, text_counts in zip(texts, counts, strict=True)]
    frequency = Counter(term for text_counts in found for term in text_counts)
    asked_terms = query_terms(query)
    keys = [
        key for key in all_keys(query_keys(query).keys) if frequency[key] and key not in asked_terms
    ]
    asked = [*asked_terms, *keys]
    factors = [1.0] * len(asked_terms) + [WORD_POLICY.key_weight] * len(keys)
    tf = np.array([[text_counts[term] for term in asked] for text_counts in found], dtype=float)
    length = np.array([text_counts.total() for text_counts in counts], dtype=float)
    weight = np.array([rarity(len(memories), frequency[term]) for term in asked]) * factors
    return Pool(
        features=[_features_of(memory) for memory in memories],
        cosine=np.zeros(len(memories)),
        tf=tf.reshape(len(memories), len(asked)),
        length=length / max(float(length.mean()), 1.0) if len(memories) else length,
        weight=weight,
        query_weight=float(weight.sum()),
        memories=[(memory.id,) for memory in memories],
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
    ports: Ports, tx: Tx, pool: Pool, memories: Sequence[Memory], query: str
) -> Pool:
    """The index has the vectors of current memories; the likeliest of the others are embedded
    again."""
    try:
        embedder = await current_embedder(ports, tx)
        vector = await embedder.embed_query(query)
        ids = [memory.id for memory in memories]
        hits = await ports.vectors.cosines(tx, embedder.model, MEMORY, vector, ids)
        cosines = {hit.id: hit.cosine for hit in hits}
        missing = [memory for memory in _sort_by_words(pool, memories) if memory.id not in cosines][
            :MAX_EMBEDDED
        ]
        vectors = await embedder.embed([memory.content for memory in missing])
    except Unavailable:
        return replace(pool, is_complete=False)
    cosines |= {
        memory.id: float(vector @ embedded)
        for memory, embedded in zip(missing, vectors, strict=True)
    }
    cosine = np.array([cosines.get(id, 0.0) for id in ids])
    return replace(pool, cosine=cosine)


def _sort_by_words(pool: Pool, memories: Sequence[Memory]) -> list[Memory]:
    score: Floats = bm25(pool.tf, pool.length, pool.weight, 1.0)
    return [memories[n] for n in np.argsort(-score, kind="stable")]
