"""Merge a chunk and the memories that were taken from it into one candidate; pure."""

from collections.abc import Sequence
from dataclasses import replace
from uuid import UUID

import numpy as np

from remem.core.index.kinds import CHUNK
from remem.core.search.evidence import Pool
from remem.core.search.model import Features
from remem.core.search.policy import POLICY


def merge_sources(pool: Pool) -> Pool:
    """Add the cosine and terms of each memory to its chunk, which represents both. A memory whose
    chunk is not in the pool stays a candidate of its own."""
    chunks = {item.id: n for n, item in enumerate(pool.features) if item.kind == CHUNK}
    positions = list(range(len(pool.features)))
    merged_into = [
        n if item.chunk_id is None else chunks.get(item.chunk_id, n)
        for n, item in zip(positions, pool.features, strict=True)
    ]
    remaining = [n for n in positions if merged_into[n] == n]
    if len(remaining) == len(positions):
        return replace(pool, memories=[_own_memory_ids(item) for item in pool.features])
    cosine, tf = pool.cosine.copy(), pool.tf.copy()
    np.maximum.at(cosine, merged_into, pool.cosine)
    np.maximum.at(tf, merged_into, pool.tf)
    return replace(
        pool,
        features=_with_quality(pool, merged_into, remaining),
        cosine=cosine[remaining],
        tf=tf[remaining],
        length=pool.length[remaining],
        memories=_memories(pool, merged_into, remaining),
        best=_best(pool, merged_into, remaining),
    )


def _with_quality(
    pool: Pool, merged_into: Sequence[int], remaining: Sequence[int]
) -> list[Features]:
    """Rate each chunk as its memories are rated; a bad rating takes precedence."""
    ratings: dict[int, list[int]] = {}
    for n, item in enumerate(pool.features):
        ratings.setdefault(merged_into[n], []).append(item.quality)
    qualities = {n: min(ratings[n]) or max(ratings[n]) for n in remaining}
    return [
        item if item.quality == qualities[n] else item._replace(quality=qualities[n])
        for n, item in ((n, pool.features[n]) for n in remaining)
    ]


def _own_memory_ids(item: Features) -> tuple[UUID, ...]:
    return () if item.kind == CHUNK else (item.id,)


def _memories(
    pool: Pool, merged_into: Sequence[int], remaining: Sequence[int]
) -> list[tuple[UUID, ...]]:
    """The memories of each candidate, nearest first."""
    members: dict[int, list[int]] = {n: [] for n in remaining}
    for n, item in enumerate(pool.features):
        if item.kind != CHUNK:
            members[merged_into[n]].append(n)
    nearest = _nearness(pool)
    return [
        tuple(pool.features[n].id for n in sorted(members[position], key=lambda n: -nearest[n]))
        for position in remaining
    ]


def _best(pool: Pool, merged_into: Sequence[int], remaining: Sequence[int]) -> list[UUID]:
    """The best match of each candidate: a memory, if it is at least as near as its chunk."""
    nearest = _nearness(pool)
    best = {n: n for n in remaining}
    for n, item in enumerate(pool.features):
        position = merged_into[n]
        if item.kind != CHUNK and nearest[n] >= nearest[best[position]]:
            best[position] = n
    return [pool.features[best[n]].id for n in remaining]


def _nearness(pool: Pool) -> list[float]:
    """Similarity by meaning plus the weighted share of the words."""
    share = (pool.tf > 0) @ pool.weight / max(pool.query_weight, 1e-9)
    return (pool.cosine + POLICY.merged_word * share).tolist()
