"""Which candidates are unlikely to be an answer; pure.

First the query as a whole: does anything stand out from what is there? Learned as a logistic on
questions that the stores of bench/quality.py answer and on questions they cannot answer. Then each
candidate by itself."""

import numpy as np

from remem.core.search.evidence import Evidence, Floats, Pool, coverage
from remem.core.search.policy import POLICY

ENOUGH_TO_COMPARE = 20


def weak(pool: Pool, evidence: Evidence) -> list[bool]:
    if not len(pool.features):
        return []
    covered = coverage(pool)
    exact = np.array([item.exact for item in pool.features]) > 0
    if not pool.cosine.any():
        return (~exact & (covered < POLICY.floor_coverage)).tolist()
    if not _stands_out(pool, evidence, covered, exact):
        return [True] * len(pool.features)
    near = pool.cosine + POLICY.floor_word * covered
    least = max(POLICY.floor_each, POLICY.floor_share * float(pool.cosine.max()))
    if "named" in evidence.parts:
        # What a result names is an answer to a question that goes on from there.
        near = near + POLICY.floor_named * (evidence.parts["named"] > 0)
    return (~exact & (near < least)).tolist()


def _stands_out(pool: Pool, evidence: Evidence, covered: Floats, exact: np.ndarray) -> bool:
    """Whether the best is nearer than the rest of the store is to anything, or has the words."""
    if covered.max() >= (POLICY.floor_coverage if pool.by_word_alone else POLICY.floor_sure):
        return True
    nearest = np.sort(pool.cosine)[::-1]
    rest, contrast = POLICY.floor_rest, POLICY.floor_usual_contrast
    if len(nearest) > ENOUGH_TO_COMPARE:
        rest = float(nearest[10:50].mean())
        contrast = float((nearest[0] - nearest.mean()) / max(nearest.std(), 1e-6))
    best = int(np.argmax(pool.cosine + POLICY.floor_word * covered))
    total = (
        POLICY.floor_bias
        + POLICY.floor_nearest * nearest[0]
        + POLICY.floor_background * rest
        + POLICY.floor_contrast * contrast
        + POLICY.floor_best * pool.cosine[best]
        + POLICY.floor_covered * covered[best]
        + POLICY.floor_exact * float(exact.any())
        + POLICY.floor_by_name * evidence.by_name
    )
    return bool(total >= 0)
