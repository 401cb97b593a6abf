"""Learn weights from other talks, to see how well weights carry over to one never seen."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

STEPS, RATE, DECAY = 150, 0.05, 1e-3


@dataclass(frozen=True, slots=True)
class Example:
    """A question's candidates by parts, which of them are gold, and how much it counts."""

    parts: NDArray[np.float64]
    gold: NDArray[np.bool_]
    weight: float


def fit(examples: Sequence[Example]) -> NDArray[np.float64]:
    """Raise the share of a softmax over candidates that falls on gold (Adam, listwise)."""
    seen = [one for one in examples if one.gold.any()]
    weights = np.zeros(seen[0].parts.shape[1])
    mean, spread = weights.copy(), weights.copy()
    total = sum(one.weight for one in seen)
    for step in range(1, STEPS + 1):
        slope = DECAY * weights + sum(_slope(one, weights) for one in seen) / total
        mean = 0.9 * mean + 0.1 * slope
        spread = 0.99 * spread + 0.01 * slope**2
        scaled = np.sqrt(spread / (1 - 0.99**step)) + 1e-8
        weights = weights - RATE * mean / (1 - 0.9**step) / scaled
    return weights


def _slope(one: Example, weights: NDArray[np.float64]) -> NDArray[np.float64]:
    scores = one.parts @ weights
    share = np.exp(scores - scores.max())
    expected = one.parts.T @ (share / share.sum())
    wanted = one.parts[one.gold].T @ (share[one.gold] / share[one.gold].sum())
    return one.weight * (expected - wanted)
