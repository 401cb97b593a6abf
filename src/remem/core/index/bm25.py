"""BM25: how much a text has of the words that are asked for."""

import math

import numpy as np
from numpy.typing import NDArray

K1, B = 1.2, 0.6


def rarity(texts: float, frequency: float) -> float:
    """What a term weighs that stands in `frequency` of all texts; never negative."""
    return math.log(1 + max(texts - frequency + 0.5, 0.5) / (frequency + 0.5))


def bm25(
    tf: NDArray[np.float64],
    length: NDArray[np.float64],
    weight: NDArray[np.float64],
    mean_length: float,
) -> NDArray[np.float64]:
    """One score a row of `tf` (texts by terms)."""
    norm = K1 * (1 - B + B * length / max(mean_length, 1.0))
    return (weight * tf * (K1 + 1) / (tf + norm[:, None])).sum(axis=1)
