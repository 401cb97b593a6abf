"""Find the candidates that are unlikely to be an answer; pure.

First for the query as a whole: does anything stand out from the rest of the store? This is a
logistic regression learned on questions that the stores of bench/quality.py answer and on questions
they cannot answer. Then for each candidate alone, also by its relevance: the probability that it
is right, where 0.5 keeps as many right answers as it leaves out strangers."""

import math
from collections.abc import Sequence
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from remem.core.index.kinds import CHUNK
from remem.core.search.calibration import Limits
from remem.core.search.evidence import Evidence, Floats, Pool, coverage
from remem.core.search.model import Asked, Ranked
from remem.core.search.policy import POLICY, Policy

MIN_RELEVANCE = 1e-4


def relevance_of(pool: Pool, policy: Policy = POLICY) -> Floats:
    """The relevance of each candidate to the query, from 0 to 1, the same in every store: by
    cosine, coverage and exact matches, and how far these are below those of the best candidate. Of
    scripts that the embedder may not know, by words alone if that is more."""
    if not len(pool.features):
        return np.zeros(0)
    by_words = _log_odds(policy.calibration.by_words, word_measures(pool))
    if not pool.cosine.any():
        return probability(by_words)
    by_meaning = _log_odds(policy.calibration.by_meaning, meaning_measures(pool, policy))
    return probability(np.maximum(by_meaning, by_words) if pool.words_only else by_meaning)


def meaning_measures(pool: Pool, policy: Policy = POLICY) -> Floats:
    """The columns that `BY_MEANING` names, without the bias."""
    coverages = coverage(pool)
    closeness = pool.cosine + policy.floor_word * coverages
    return np.column_stack(
        (
            np.maximum(pool.cosine, 0.0),
            coverages,
            _is_exact(pool),
            closeness - closeness.max(),
            pool.cosine - _background(pool, policy),
        )
    )


def word_measures(pool: Pool) -> Floats:
    """The columns that `BY_WORDS` names, without the bias."""
    coverages = coverage(pool)
    return np.column_stack((coverages, _is_exact(pool), coverages - coverages.max()))


def reader_measures(relevance: Floats, scores: Sequence[float]) -> Floats:
    """The columns that `BY_READER` names, without the bias."""
    likely = np.clip(relevance, MIN_RELEVANCE, 1 - MIN_RELEVANCE)
    read = np.array(scores)
    return np.column_stack((np.log(likely / (1 - likely)), read, read - read.max()))


def relevance_when_read(
    relevance: Floats, scores: Sequence[float], policy: Policy = POLICY
) -> Floats:
    """The relevance of candidates with what the reader says about them, and about the best."""
    return probability(_log_odds(policy.calibration.by_reader, reader_measures(relevance, scores)))


def _log_odds(weights: Sequence[float], measures: Floats) -> Floats:
    return weights[0] + measures @ np.array(weights[1:])


def probability(log_odds: Floats) -> Floats:
    return 1.0 / (1.0 + np.exp(-log_odds))


def _is_exact(pool: Pool) -> NDArray[np.bool_]:
    return np.array([item.exact for item in pool.features]) > 0


def _is_on_day(pool: Pool, evidence: Evidence) -> NDArray[np.bool_]:
    return np.zeros(len(pool.features), bool) if evidence.on_day is None else evidence.on_day


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
    is_sure = _is_exact(pool) | _is_on_day(pool, evidence)
    if not pool.cosine.any():
        return (~is_sure & (coverages < policy.floor_coverage)).tolist()
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
    least = policy.calibration.weak_keywords if pool.is_keywords else 0.0
    least = policy.calibration.weak_name if is_found else least
    relevance = relevance_of(pool, policy) if relevance is None else relevance
    is_stranger = ~is_named & (relevance < least)
    if is_found and pool.name_words > 1:
        is_stranger |= ~is_named & (coverages == 0)
    return (~is_sure & ((closeness < minimum) | is_stranger)).tolist()


def judged_alone(pool: Pool, evidence: Evidence) -> list[bool]:
    """Whether too little relevance makes each candidate weak. Not for names and keywords, which
    `weak_flags` knows; nor what has an exact match, was said on the day in question, or is named by
    another result, and a turn of a conversation, which is understood with those around it."""
    if pool.name_words or pool.is_keywords or not pool.cosine.any():
        return [False] * len(pool.features)
    is_named = evidence.parts["named"] > 0 if "named" in evidence.parts else np.array(False)
    is_turn = np.array([item.kind == CHUNK and bool(item.speaker) for item in pool.features], bool)
    is_sure = _is_exact(pool) | _is_on_day(pool, evidence)
    return (~is_sure & ~is_named & ~is_turn).tolist()


def asked_of(pool: Pool, evidence: Evidence, policy: Policy = POLICY) -> Asked | None:
    """None without vectors, if the query names a speaker, and if something has its exact words, was
    said on the day that it names, or has some of the keywords that are searched for."""
    is_sure = _is_exact(pool) | _is_on_day(pool, evidence)
    if pool.name_words or pool.is_keywords:
        is_sure |= coverage(pool) >= policy.floor_coverage
    if evidence.by_name or not pool.cosine.any() or is_sure.any():
        return None
    return Asked(pool.asks, float(pool.cosine.max()))


def query_measures(asked: Asked, scores: Sequence[float], usual_asks: float) -> Floats:
    """The columns that `BY_QUERY` names, without the bias."""
    asks = usual_asks if asked.asks is None else asked.asks
    return np.array([asks, max(scores), asked.cosine])


def with_irrelevant_weak(
    ranked: Sequence[Ranked], asked: Asked | None = None, policy: Policy = POLICY
) -> list[Ranked]:
    """Mark what is too little relevant as weak, and everything if nothing is likely to answer."""
    calibration = policy.calibration
    limits = calibration.limits
    scores = [item.parts.relevance for item in ranked if item.parts.relevance is not None]
    if asked and scores:
        measures = query_measures(asked, scores, calibration.usual_asks)
        if float(_log_odds(calibration.by_query, measures)) < limits.answered:
            return [result._replace(is_weak=True) for result in ranked]
    return [
        result._replace(is_weak=True)
        if result.is_judged_alone and _is_irrelevant(result, limits)
        else result
        for result in ranked
    ]


def _is_irrelevant(result: Ranked, limits: Limits) -> bool:
    is_read = result.parts.relevance is not None
    return result.relevance < (limits.read if is_read else limits.unread)


def margin(pool: Pool, evidence: Evidence, policy: Policy = POLICY) -> float:
    """By how much the nearest candidate stands out from the rest of the store; below 0 it does not.
    Infinite if a candidate has the words, or was said on the day in question, or if there are no
    vectors to compare."""
    if not pool.cosine.any() or _is_on_day(pool, evidence).any():
        return math.inf
    coverages = coverage(pool)
    if coverages.max() >= (policy.floor_coverage if pool.words_only else policy.floor_sure):
        return math.inf
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
        + policy.floor_exact * float(_is_exact(pool).any())
        + policy.floor_by_name * evidence.by_name
    )
    return float(total)
