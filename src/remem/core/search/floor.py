"""Which candidates are unlikely to be an answer; pure.

First the query as a whole: does anything stand out from what is there? Learned as a logistic on
questions that the stores of bench/quality.py answer and on questions they cannot answer. Then each
candidate by itself."""

import math

import numpy as np

from remem.core.search.evidence import Evidence, Pool, coverage
from remem.core.search.policy import POLICY, Policy


def weak(pool: Pool, evidence: Evidence, policy: Policy = POLICY) -> list[bool]:
    if not len(pool.features):
        return []
    covered = coverage(pool)
    exact = np.array([item.exact for item in pool.features]) > 0
    if not pool.cosine.any():
        return (~exact & (covered < policy.floor_coverage)).tolist()
    if surplus(pool, evidence, policy) < 0:
        return [True] * len(pool.features)
    near = pool.cosine + policy.floor_word * covered
    least = max(policy.floor_each, policy.floor_share * float(pool.cosine.max()))
    if "named" in evidence.parts:
        # What a result names is an answer to a question that goes on from there.
        near = near + policy.floor_named * (evidence.parts["named"] > 0)
    return (~exact & (near < least)).tolist()


def surplus(pool: Pool, evidence: Evidence, policy: Policy = POLICY) -> float:
    """How far the best is nearer than the rest of the store is to anything; below 0 it does not
    stand out. No limit where it has the words, or where there are no vectors to tell."""
    if not len(pool.features) or not pool.cosine.any():
        return math.inf
    covered = coverage(pool)
    if covered.max() >= (policy.floor_coverage if pool.by_word_alone else policy.floor_sure):
        return math.inf
    exact = np.array([item.exact for item in pool.features]) > 0
    nearest = np.sort(pool.cosine)[::-1]
    rest, contrast = policy.floor_rest, policy.floor_usual_contrast
    if len(nearest) > policy.floor_pool:
        rest = float(nearest[policy.floor_from : policy.floor_to].mean())
        contrast = float((nearest[0] - nearest.mean()) / max(nearest.std(), 1e-6))
    best = int(np.argmax(pool.cosine + policy.floor_word * covered))
    total = (
        policy.floor_bias
        + policy.floor_nearest * nearest[0]
        + policy.floor_background * rest
        + policy.floor_contrast * contrast
        + policy.floor_best * pool.cosine[best]
        + policy.floor_covered * covered[best]
        + policy.floor_exact * float(exact.any())
        + policy.floor_by_name * evidence.by_name
    )
    return float(total)
