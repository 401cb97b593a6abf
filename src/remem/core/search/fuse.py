"""Join what is found by meaning and by word into one score, and put it in order."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime

import numpy as np

from remem.core.search.evidence import Evidence, Floats, Pool
from remem.core.search.model import Fusion, Parts, Ranked, Sign

VECTOR_WEIGHT, TEXT_WEIGHT, RECENCY_WEIGHT = 0.6, 0.4, 0.1
RECENCY_DAYS = 30
# How steeply evidence falls from the best of the batch: a deviation less is a quarter less.
STEEPNESS = 0.3
RRF_K = 60
# In reciprocal ranks too, the order that evidence gives is better than that of the vectors.
RRF_TEXT = 3
_DAY_S = 86_400


def fuse(
    pool: Pool, evidence: Evidence, fusion: Fusion, now: datetime, *, explain: bool = False
) -> list[Ranked]:
    """Best first; of equals the later one. `explain` tells what each score is made of."""
    vector = np.clip(pool.cosine, 0.0, 1.0)
    text = text_scores(evidence)
    recent = recency([sign.created_at for sign in pool.signs], now)
    score = FUSIONS[fusion](vector, text, recent)
    measured = zip(score.tolist(), vector.tolist(), text.tolist(), recent.tolist(), strict=True)
    ranked = [
        Ranked(
            sign.id,
            sign.document_id,
            total,
            Parts(near, said, new, _told(evidence, n) if explain else {}),
        )
        for n, (sign, (total, near, said, new)) in enumerate(zip(pool.signs, measured, strict=True))
    ]
    return sorted(ranked, key=lambda one: (-one.score, -one.id.int))


def text_scores(evidence: Evidence) -> Floats:
    """Evidence by the best of the batch, from 0 to 1; 0 for what shares no word."""
    if not evidence.shares.any():
        return np.zeros(len(evidence.total))
    best = evidence.total[evidence.shares].max()
    return np.where(evidence.shares, np.exp(STEEPNESS * (evidence.total - best)), 0.0)


def _weighted(vector: Floats, text: Floats, recent: Floats) -> Floats:
    return VECTOR_WEIGHT * vector + TEXT_WEIGHT * text + recent


def _reciprocal(vector: Floats, text: Floats, recent: Floats) -> Floats:
    """Reciprocal ranks, as a share of what the first in both would have."""
    best = (1 + RRF_TEXT) / (RRF_K + 1)
    return (_by_rank(vector) + RRF_TEXT * _by_rank(text)) / best


def _by_rank(values: Floats) -> Floats:
    places = np.empty(len(values))
    places[np.argsort(-values, kind="stable")] = np.arange(1, len(values) + 1)
    return np.where(values > 0, 1 / (RRF_K + places), 0.0)


FUSIONS: Mapping[Fusion, Callable[[Floats, Floats, Floats], Floats]] = {
    "weighted": _weighted,
    "rrf": _reciprocal,
}


def _told(evidence: Evidence, n: int) -> dict[str, float]:
    return {name: float(part[n]) for name, part in evidence.parts.items() if part[n]}


def recency(moments: Sequence[datetime], now: datetime) -> Floats:
    ages_s = now.timestamp() - np.array([moment.timestamp() for moment in moments])
    return RECENCY_WEIGHT * np.exp(-np.maximum(ages_s, 0.0) / (RECENCY_DAYS * _DAY_S))


def newest(signs: Sequence[Sign], now: datetime) -> list[Ranked]:
    """What was saved last, for who asks for nothing."""
    bonuses = recency([sign.created_at for sign in signs], now).tolist()
    return [
        Ranked(sign.id, sign.document_id, bonus, Parts(recency=bonus))
        for sign, bonus in zip(signs, bonuses, strict=True)
    ]
