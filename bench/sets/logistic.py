"""Logistic regression with weighted rows, by Newton's method."""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
STEPS, DECAY = 60, 1e-3


def fit_logistic(rows: Floats, right: Floats, weight: Floats) -> Floats:
    """The bias, then a weight for each column."""
    mean, spread = rows.mean(axis=0), rows.std(axis=0) + 1e-9
    table = np.column_stack((np.ones(len(rows)), (rows - mean) / spread))
    decay = DECAY * weight.sum() * np.diag([0.0, *np.ones(rows.shape[1])])
    weights = np.zeros(table.shape[1])
    for _ in range(STEPS):
        share = 1 / (1 + np.exp(-table @ weights))
        slope = table.T @ (weight * (right - share)) - decay @ weights
        curve = (table * (weight * share * (1 - share))[:, None]).T @ table + decay
        weights = weights + np.linalg.solve(curve + 1e-9 * np.eye(len(curve)), slope)
    scaled = weights[1:] / spread
    return np.array([weights[0] - scaled @ mean, *scaled])
