"""One candidate for a chunk and the memories that were taken from it; pure."""

from collections.abc import Sequence
from dataclasses import replace
from uuid import UUID

import numpy as np

from remem.core.index.kinds import CHUNK
from remem.core.search.evidence import Pool
from remem.core.search.model import Features
from remem.core.search.policy import POLICY


def merge_sources(pool: Pool) -> Pool:
    """What a memory has in common with the query counts for its chunk, which stands for both. A
    memory whose chunk is not in the pool stands alone."""
    chunks = {item.id: n for n, item in enumerate(pool.features) if item.kind == CHUNK}
    own = list(range(len(pool.features)))
    at = [
        n if item.chunk_id is None else chunks.get(item.chunk_id, n)
        for n, item in zip(own, pool.features, strict=True)
    ]
    kept = [n for n in own if at[n] == n]
    if len(kept) == len(own):
        return replace(pool, memories=[_alone(item) for item in pool.features])
    cosine, tf = pool.cosine.copy(), pool.tf.copy()
    np.maximum.at(cosine, at, pool.cosine)
    np.maximum.at(tf, at, pool.tf)
    return replace(
        pool,
        features=_with_quality(pool, at, kept),
        cosine=cosine[kept],
        tf=tf[kept],
        length=pool.length[kept],
        memories=_memories(pool, at, kept),
        best=_best(pool, at, kept),
    )


def _with_quality(pool: Pool, at: Sequence[int], kept: Sequence[int]) -> list[Features]:
    """What was said of its memories is said of the chunk; a bad word counts more."""
    said: dict[int, list[int]] = {}
    for n, item in enumerate(pool.features):
        said.setdefault(at[n], []).append(item.quality)
    qualities = {n: min(said[n]) or max(said[n]) for n in kept}
    return [
        item if item.quality == qualities[n] else item._replace(quality=qualities[n])
        for n, item in ((n, pool.features[n]) for n in kept)
    ]


def _alone(item: Features) -> tuple[UUID, ...]:
    return () if item.kind == CHUNK else (item.id,)


def _memories(pool: Pool, at: Sequence[int], kept: Sequence[int]) -> list[tuple[UUID, ...]]:
    """Those of each, the nearest first."""
    found: dict[int, list[int]] = {n: [] for n in kept}
    for n, item in enumerate(pool.features):
        if item.kind != CHUNK:
            found[at[n]].append(n)
    nearest = _nearness(pool)
    return [
        tuple(pool.features[n].id for n in sorted(found[place], key=lambda n: -nearest[n]))
        for place in kept
    ]


def _best(pool: Pool, at: Sequence[int], kept: Sequence[int]) -> list[UUID]:
    """Which of each says it best: a memory, where it is as near as its chunk."""
    nearest = _nearness(pool)
    best = {n: n for n in kept}
    for n, item in enumerate(pool.features):
        place = at[n]
        if item.kind != CHUNK and nearest[n] >= nearest[best[place]]:
            best[place] = n
    return [pool.features[best[n]].id for n in kept]


def _nearness(pool: Pool) -> list[float]:
    """By meaning and by the share of the words, each as far as it goes."""
    share = (pool.tf > 0) @ pool.weight / max(pool.asked_weight, 1e-9)
    return (pool.cosine + POLICY.merged_word * share).tolist()
