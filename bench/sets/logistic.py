"""Logistic regression, and the choice of one row of several, by Newton's method."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
STEPS, DECAY = 60, 1e-3
CHOICE_STEPS, CHOICE_STEP, CHOICE_DECAY, LEAST = 40, 0.3, 1e-2, 1e-12


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


def fit_choice(questions: Sequence[tuple[Floats, NDArray[np.bool_]]]) -> Floats:
    """The weights of the columns that make a right row of each question the likeliest. Each
    question has its rows, and which of them are right."""
    known = [(rows, right) for rows, right in questions if right.any() and not right.all()]
    every = np.concatenate([rows for rows, _ in known])
    mean, spread = every.mean(axis=0), every.std(axis=0) + 1e-9
    tables = [((rows - mean) / spread, right) for rows, right in known]
    weights = np.zeros(every.shape[1])
    for _ in range(CHOICE_STEPS):
        slope, curve = -CHOICE_DECAY * weights, CHOICE_DECAY * np.eye(len(weights))
        for table, right in tables:
            likely = _softmax(table @ weights)
            is_right = likely * right / (likely * right).sum()
            slope += table.T @ (is_right - likely) / len(tables)
            centred = table - likely @ table
            curve += centred.T @ (centred * likely[:, None]) / len(tables)
        step = np.linalg.solve(curve, slope)
        # A full step may overshoot.
        weights = weights + step * min(1.0, CHOICE_STEP / float(np.linalg.norm(step) + LEAST))
    return weights / spread


def _softmax(scores: Floats) -> Floats:
    weight = np.exp(scores - scores.max())
    return weight / weight.sum() + LEAST
