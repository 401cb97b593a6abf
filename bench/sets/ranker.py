"""Learns ranking weights from other talks, to see how well weights generalize to an unseen talk."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

STEPS, RATE, DECAY = 150, 0.05, 1e-3


@dataclass(frozen=True, slots=True)
class Example:
    """The feature values of a question's candidates, which of them are gold, and its weight."""

    parts: NDArray[np.float64]
    gold: NDArray[np.bool_]
    weight: float


def fit(examples: Sequence[Example]) -> NDArray[np.float64]:
    """Maximize the softmax share of gold candidates (listwise, with Adam)."""
    usable = [example for example in examples if example.gold.any()]
    weights = np.zeros(usable[0].parts.shape[1])
    mean, spread = weights.copy(), weights.copy()
    total = sum(example.weight for example in usable)
    for step in range(1, STEPS + 1):
        slope = DECAY * weights + sum(_slope(example, weights) for example in usable) / total
        mean = 0.9 * mean + 0.1 * slope
        spread = 0.99 * spread + 0.01 * slope**2
        scaled = np.sqrt(spread / (1 - 0.99**step)) + 1e-8
        weights = weights - RATE * mean / (1 - 0.9**step) / scaled
    return weights


def _slope(example: Example, weights: NDArray[np.float64]) -> NDArray[np.float64]:
    scores = example.parts @ weights
    share = np.exp(scores - scores.max())
    expected = example.parts.T @ (share / share.sum())
    wanted = example.parts[example.gold].T @ (share[example.gold] / share[example.gold].sum())
    return example.weight * (expected - wanted)
