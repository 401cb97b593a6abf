"""BM25 scores of texts."""

import math
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from remem.core.index.policy import WORD_POLICY

_Numbers = TypeVar("_Numbers", float, NDArray[np.float64])


def rarity(texts: float, frequency: float) -> float:
    """The weight of a term that occurs in `frequency` of `texts` texts; never negative."""
    return math.log(1 + max(texts - frequency + 0.5, 0.5) / (frequency + 0.5))


def gain(tf: _Numbers, length: _Numbers, mean_length: float) -> _Numbers:
    """The term frequency part of BM25: saturated and normalized by length, before the term's
    weight."""
    k1, b = WORD_POLICY.k1, WORD_POLICY.b
    norm = k1 * (1 - b + b * length / max(mean_length, 1.0))
    return tf * (k1 + 1) / (tf + norm)


def bm25(
    tf: NDArray[np.float64],
    length: NDArray[np.float64],
    weight: NDArray[np.float64],
    mean_length: float,
) -> NDArray[np.float64]:
    """One score for each row of `tf` (texts by terms)."""
    return (weight * gain(tf, length[:, None], mean_length)).sum(axis=1)
