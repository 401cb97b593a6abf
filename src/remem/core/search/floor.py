"""Find the candidates that are unlikely to be an answer; pure.

First for the query as a whole: does anything stand out from the rest of the store? This is a
logistic regression learned on questions that the stores of bench/quality.py answer and on questions
they cannot answer. Then for each candidate alone."""

import math

import numpy as np

from remem.core.search.evidence import Evidence, Pool, coverage
from remem.core.search.policy import POLICY, Policy


def weak_flags(pool: Pool, evidence: Evidence, policy: Policy = POLICY) -> list[bool]:
    if not len(pool.features):
        return []
    coverages = coverage(pool)
    exact = np.array([item.exact for item in pool.features]) > 0
    if not pool.cosine.any():
        return (~exact & (coverages < policy.floor_coverage)).tolist()
    if margin(pool, evidence, policy) < 0:
        return [True] * len(pool.features)
    closeness = pool.cosine + policy.floor_word * coverages
    minimum = max(policy.floor_each, policy.floor_share * float(pool.cosine.max()))
    if "named" in evidence.parts:
        # An item that a result names may answer a question that continues from there.
        closeness = closeness + policy.floor_named * (evidence.parts["named"] > 0)
    return (~exact & (closeness < minimum)).tolist()


def margin(pool: Pool, evidence: Evidence, policy: Policy = POLICY) -> float:
    """By how much the nearest candidate stands out from the rest of the store; below 0 it does not.
    Infinite if a candidate has the words, or if there are no vectors to compare."""
    if not len(pool.features) or not pool.cosine.any():
        return math.inf
    coverages = coverage(pool)
    if coverages.max() >= (policy.floor_coverage if pool.words_only else policy.floor_sure):
        return math.inf
    exact = np.array([item.exact for item in pool.features]) > 0
    nearest = np.sort(pool.cosine)[::-1]
    background, contrast = policy.floor_rest, policy.floor_usual_contrast
    if len(nearest) > policy.floor_pool:
        background = float(nearest[policy.floor_from : policy.floor_to].mean())
        contrast = float((nearest[0] - nearest.mean()) / max(nearest.std(), 1e-6))
    best = int(np.argmax(pool.cosine + policy.floor_word * coverages))
    total = (
        policy.floor_bias
        + policy.floor_nearest * nearest[0]
        + policy.floor_background * background
        + policy.floor_contrast * contrast
        + policy.floor_best * pool.cosine[best]
        + policy.floor_covered * coverages[best]
        + policy.floor_exact * float(exact.any())
        + policy.floor_by_name * evidence.by_name
    )
    return float(total)
