"""Find the candidates that are unlikely to be an answer; pure.

First for the query as a whole: does anything stand out from the rest of the store? This is a
logistic regression learned on questions that the stores of bench/quality.py answer and on questions
they cannot answer. Then for each candidate alone, also by its relevance: the probability that it
is right, where 0.5 keeps as many right answers as it leaves out strangers."""

import math
from collections.abc import Sequence
from itertools import accumulate

import numpy as np

from remem.core.search.evidence import Evidence, Floats, Pool, coverage
from remem.core.search.model import Ranked
from remem.core.search.policy import POLICY, Policy


def relevance_of(pool: Pool, policy: Policy = POLICY) -> Floats:
    """The relevance of each candidate to the query, from 0 to 1, the same in every store: by
    cosine, coverage and exact matches, and how far these are below those of the best candidate. Of
    scripts that the embedder may not know, by words alone if that is more."""
    if not len(pool.features):
        return np.zeros(0)
    coverages = coverage(pool)
    exact = np.array([item.exact for item in pool.features]) > 0
    by_words = (
        policy.words_bias
        + policy.words_covered * coverages
        + policy.words_exact * exact
        + policy.words_behind * (coverages - coverages.max())
    )
    if not pool.cosine.any():
        return _probability(by_words)
    closeness = pool.cosine + policy.floor_word * coverages
    total = (
        policy.relevance_bias
        + policy.relevance_cosine * np.maximum(pool.cosine, 0.0)
        + policy.relevance_covered * coverages
        + policy.relevance_exact * exact
        + policy.relevance_behind * (closeness - closeness.max())
        + policy.relevance_contrast * (pool.cosine - _background(pool, policy))
    )
    return _probability(np.maximum(total, by_words) if pool.words_only else total)


def _probability(log_odds: Floats) -> Floats:
    return 1.0 / (1.0 + np.exp(-log_odds))


def _background(pool: Pool, policy: Policy) -> float:
    """The usual cosine of the query and a text that does not answer it."""
    if len(pool.cosine) <= policy.floor_pool:
        return policy.floor_rest
    return float(np.sort(pool.cosine)[::-1][policy.floor_from : policy.floor_to].mean())


def relevance_in_order(ranked: Sequence[Ranked], policy: Policy = POLICY) -> list[Ranked]:
    """The same order, in which no result is less relevant than one below it: what raised it, such
    as being newer, makes it at least as good. A weak result is below every usual threshold."""
    own = (
        min(item.relevance, policy.weak_relevance) if item.is_weak else item.relevance
        for item in reversed(ranked)
    )
    least = reversed(list(accumulate(own, max)))
    return [item._replace(relevance=value) for item, value in zip(ranked, least, strict=True)]


def weak_flags(
    pool: Pool, evidence: Evidence, policy: Policy = POLICY, relevance: Floats | None = None
) -> list[bool]:
    """`relevance` is that of `relevance_of`, if it is known already."""
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
        is_named = evidence.parts["named"] > 0
        closeness = closeness + policy.floor_named * is_named
    else:
        is_named = np.zeros(len(closeness), bool)
    # If a candidate has the name that was searched for, one without it needs more.
    is_found = pool.name_words > 0 and coverages.max() > policy.floor_name_covered
    least = policy.floor_relevance if pool.is_keywords else 0.0
    least = policy.floor_relevance_name if is_found else least
    relevance = relevance_of(pool, policy) if relevance is None else relevance
    is_stranger = ~is_named & (relevance < least)
    if is_found and pool.name_words > 1:
        is_stranger |= ~is_named & (coverages == 0)
    return (~exact & ((closeness < minimum) | is_stranger)).tolist()


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
    contrast = policy.floor_usual_contrast
    if len(nearest) > policy.floor_pool:
        contrast = float((nearest[0] - nearest.mean()) / max(nearest.std(), 1e-6))
    best = int(np.argmax(pool.cosine + policy.floor_word * coverages))
    total = (
        policy.floor_bias
        + policy.floor_nearest * nearest[0]
        + policy.floor_background * _background(pool, policy)
        + policy.floor_contrast * contrast
        + policy.floor_best * pool.cosine[best]
        + policy.floor_covered * coverages[best]
        + policy.floor_exact * float(exact.any())
        + policy.floor_by_name * evidence.by_name
    )
    return float(total)
