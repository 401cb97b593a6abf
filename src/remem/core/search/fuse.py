"""Combine the scores by meaning and by word into one, and sort by it."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime

import numpy as np

from remem.core.index.kinds import MEMORY
from remem.core.search.evidence import Evidence, Floats, Pool
from remem.core.search.floor import judged_alone, relevance_of, weak_flags
from remem.core.search.model import Features, Fusion, Ranked, ScoreParts
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
    """Best first; of equal scores the newer item. `explain` returns the components of each
    score."""
    vector = np.clip(pool.cosine, 0.0, 1.0)
    text = text_scores(evidence, policy)
    recencies = recency([item.created_at for item in pool.features], now, policy)
    score = FUSIONS[fusion](vector, text, recencies, policy) * _quality_factor(pool, policy)
    scores = zip(score.tolist(), vector.tolist(), text.tolist(), recencies.tolist(), strict=True)
    relevance = relevance_of(pool, policy)
    is_weak = weak_flags(pool, evidence, policy, relevance)
    is_judged_alone = judged_alone(pool, evidence)
    ranked = [
        _ranked(
            pool,
            n,
            total,
            ScoreParts(
                vector_score,
                text_score,
                recency_score,
                _evidence_parts(evidence, n) if explain else {},
            ),
        )._replace(
            is_weak=is_weak[n],
            relevance=float(relevance[n]),
            is_judged_alone=is_judged_alone[n],
        )
        for n, (total, vector_score, text_score, recency_score) in enumerate(scores)
    ]
    return sorted(ranked, key=lambda result: (-result.score, -result.id.int))


def _ranked(pool: Pool, n: int, score: float, parts: ScoreParts) -> Ranked:
    item = pool.features[n]
    memories = pool.memories[n] if pool.memories else ()
    best = pool.best[n] if pool.best else item.id
    kind = item.kind if best == item.id else MEMORY
    return Ranked(best, item.document_id, score, parts, kind, item.chunk_id, memories)


def text_scores(evidence: Evidence, policy: Policy = POLICY) -> Floats:
    """Evidence relative to the best candidate, from 0 to 1. A candidate that shares no word with
    the query scores 0 if words are reliable; otherwise it scores slightly less than the others, and
    none reaches 1."""
    if not evidence.matches_any_term.any():
        return np.zeros(len(evidence.total))
    reliability = evidence.word_reliability
    share = np.where(evidence.matches_any_term, 1.0, 1.0 - reliability)
    best = evidence.total[share > 0].max()
    decayed = share * np.exp(policy.steepness * (evidence.total - best))
    maximum = policy.min_text + (1 - policy.min_text) * reliability
    return maximum * decayed / max(float(decayed.max()), 1e-9)


def _quality_factor(pool: Pool, policy: Policy) -> Floats:
    """A memory rated good scores slightly higher, one rated bad much lower."""
    quality = np.array([item.quality for item in pool.features])
    return 1.0 + policy.good * (quality > 0) - policy.bad * (quality < 0)


def _weighted(vector: Floats, text: Floats, recent: Floats, policy: Policy) -> Floats:
    return policy.vector * vector + policy.text * text + recent


def _reciprocal(vector: Floats, text: Floats, recent: Floats, policy: Policy) -> Floats:
    """Reciprocal ranks, relative to a candidate that is first in both."""
    best = (1 + policy.rrf_text) / (policy.rrf_k + 1)
    ranks = _reciprocal_ranks(vector, policy.rrf_k) + policy.rrf_text * _reciprocal_ranks(
        text, policy.rrf_k
    )
    return ranks / best


def _reciprocal_ranks(values: Floats, k: int) -> Floats:
    places = np.empty(len(values))
    places[np.argsort(-values, kind="stable")] = np.arange(1, len(values) + 1)
    return np.where(values > 0, 1 / (k + places), 0.0)


FUSIONS: Mapping[Fusion, Callable[[Floats, Floats, Floats, Policy], Floats]] = {
    "weighted": _weighted,
    "rrf": _reciprocal,
}


def _evidence_parts(evidence: Evidence, n: int) -> dict[str, float]:
    return {name: float(part[n]) for name, part in evidence.parts.items() if part[n]}


def recency(moments: Sequence[datetime], now: datetime, policy: Policy = POLICY) -> Floats:
    ages_s = now.timestamp() - np.array([moment.timestamp() for moment in moments])
    return policy.recency * np.exp(-np.maximum(ages_s, 0.0) / (policy.recency_days * _DAY_S))


def newest(features: Sequence[Features], now: datetime) -> list[Ranked]:
    """The newest items, for an empty query, for which all are equally relevant."""
    bonuses = recency([item.created_at for item in features], now).tolist()
    return [
        Ranked(
            item.id,
            item.document_id,
            bonus,
            ScoreParts(recency=bonus),
            item.kind,
            item.chunk_id,
            (item.id,) if item.kind == MEMORY else (),
            relevance=1.0,
        )
        for item, bonus in zip(features, bonuses, strict=True)
    ]
