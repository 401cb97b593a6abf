"""Join what is found by meaning and by word into one score, and put it in order."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime

import numpy as np

from remem.core.index.kinds import MEMORY
from remem.core.search.evidence import Evidence, Floats, Pool
from remem.core.search.floor import weak
from remem.core.search.model import Features, Fusion, Parts, Ranked
from remem.core.search.policy import POLICY, Policy

_DAY_S = 86_400


def fuse(
    pool: Pool,
    evidence: Evidence,
    fusion: Fusion,
    now: datetime,
    policy: Policy = POLICY,
    *,
    explain: bool = False,
) -> list[Ranked]:
    """Best first; of equals the later one. `explain` tells what each score is made of."""
    vector = np.clip(pool.cosine, 0.0, 1.0)
    text = text_scores(evidence, policy)
    recent = recency([item.created_at for item in pool.features], now, policy)
    score = FUSIONS[fusion](vector, text, recent, policy) * _quality(pool, policy)
    measured = zip(score.tolist(), vector.tolist(), text.tolist(), recent.tolist(), strict=True)
    below = weak(pool, evidence, policy)
    ranked = [
        _ranked(
            pool, n, total, Parts(near, said, new, _parts_of(evidence, n) if explain else {})
        )._replace(is_weak=below[n])
        for n, (total, near, said, new) in enumerate(measured)
    ]
    return sorted(ranked, key=lambda one: (-one.score, -one.id.int))


def _ranked(pool: Pool, n: int, score: float, parts: Parts) -> Ranked:
    item = pool.features[n]
    memories = pool.memories[n] if pool.memories else ()
    best = pool.best[n] if pool.best else item.id
    kind = item.kind if best == item.id else MEMORY
    return Ranked(best, item.document_id, score, parts, kind, item.chunk_id, memories)


def text_scores(evidence: Evidence, policy: Policy = POLICY) -> Floats:
    """Evidence by the best of the batch, from 0 to 1. What shares no word has none where words can
    be relied on; where they cannot, it is hardly behind, and nobody has all of it."""
    if not evidence.matches_any_term.any():
        return np.zeros(len(evidence.total))
    telling = evidence.telling
    kept = np.where(evidence.matches_any_term, 1.0, 1.0 - telling)
    best = evidence.total[kept > 0].max()
    fallen = kept * np.exp(policy.steepness * (evidence.total - best))
    whole = policy.least_text + (1 - policy.least_text) * telling
    return whole * fallen / max(float(fallen.max()), 1e-9)


def _quality(pool: Pool, policy: Policy) -> Floats:
    """A memory that proved good stands a little higher, one that was found bad much lower."""
    said = np.array([item.quality for item in pool.features])
    return 1.0 + policy.good * (said > 0) - policy.bad * (said < 0)


def _weighted(vector: Floats, text: Floats, recent: Floats, policy: Policy) -> Floats:
    return policy.vector * vector + policy.text * text + recent


def _reciprocal(vector: Floats, text: Floats, recent: Floats, policy: Policy) -> Floats:
    """Reciprocal ranks, as a share of what the first in both would have."""
    best = (1 + policy.rrf_text) / (policy.rrf_k + 1)
    ranks = _by_rank(vector, policy.rrf_k) + policy.rrf_text * _by_rank(text, policy.rrf_k)
    return ranks / best


def _by_rank(values: Floats, k: int) -> Floats:
    places = np.empty(len(values))
    places[np.argsort(-values, kind="stable")] = np.arange(1, len(values) + 1)
    return np.where(values > 0, 1 / (k + places), 0.0)


FUSIONS: Mapping[Fusion, Callable[[Floats, Floats, Floats, Policy], Floats]] = {
    "weighted": _weighted,
    "rrf": _reciprocal,
}


def _parts_of(evidence: Evidence, n: int) -> dict[str, float]:
    return {name: float(part[n]) for name, part in evidence.parts.items() if part[n]}


def recency(moments: Sequence[datetime], now: datetime, policy: Policy = POLICY) -> Floats:
    ages_s = now.timestamp() - np.array([moment.timestamp() for moment in moments])
    return policy.recency * np.exp(-np.maximum(ages_s, 0.0) / (policy.recency_days * _DAY_S))


def newest(features: Sequence[Features], now: datetime) -> list[Ranked]:
    """The newest items, for an empty query."""
    bonuses = recency([item.created_at for item in features], now).tolist()
    return [
        Ranked(
            item.id,
            item.document_id,
            bonus,
            Parts(recency=bonus),
            item.kind,
            item.chunk_id,
            (item.id,) if item.kind == MEMORY else (),
        )
        for item, bonus in zip(features, bonuses, strict=True)
    ]
