"""Join what was found by meaning and by word into one score."""

import math
from collections.abc import Mapping
from datetime import datetime
from uuid import UUID

from remem.core.search.model import Parts

VECTOR_WEIGHT, TEXT_WEIGHT, RECENCY_WEIGHT = 0.6, 0.4, 0.1
RECENCY_DAYS = 30
_DAY_S = 86_400


def fuse(
    vector: Mapping[UUID, float],
    text: Mapping[UUID, float],
    created: Mapping[UUID, datetime],
    now: datetime,
) -> dict[UUID, Parts]:
    """The parts of each score: cosine from 0 to 1, text by the best of the batch, recency."""
    best_text = max(text.values(), default=0.0)
    return {
        id: Parts(
            vector=min(1.0, max(0.0, vector.get(id, 0.0))),
            text=text[id] / best_text if id in text else 0.0,
            recency=recency(moment, now),
        )
        for id, moment in created.items()
    }


def score(parts: Parts) -> float:
    return VECTOR_WEIGHT * parts.vector + TEXT_WEIGHT * parts.text + parts.recency


def recency(created_at: datetime, now: datetime) -> float:
    age_days = max(0.0, (now - created_at).total_seconds() / _DAY_S)
    return RECENCY_WEIGHT * math.exp(-age_days / RECENCY_DAYS)
