"""The fused score of meaning, words and age: 0.6 vector + 0.4 text + 0.1 exp(-age_days / 30)."""

import math
from datetime import timedelta
from uuid import UUID

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from remem.core.search.evidence import Evidence, Pool, weigh
from remem.core.search.fuse import fuse, recency
from remem.core.search.model import Fusion, Ranked
from remem.core.search.plan import Plan
from remem.core.search.policy import POLICY
from tests.core.pools import NOW, PoolEntry, pool_of

PLAN = Plan("harbour", "harbour")
entry_lists = st.lists(
    st.builds(
        PoolEntry,
        cosine=st.floats(-1, 1),
        tf=st.tuples(st.integers(0, 5)),
        thread_id=st.sampled_from([UUID(int=n) for n in range(4)]),
        place=st.integers(0, 20),
        created_at=st.timedeltas(timedelta(0), timedelta(days=900)).map(lambda age: NOW - age),
    ),
    max_size=30,
)


def fuse_entries(
    entries: list[PoolEntry], fusion: Fusion = "weighted"
) -> tuple[Pool, list[Ranked]]:
    pool = pool_of(entries)
    return pool, fuse(pool, weigh(pool, PLAN), fusion, NOW)


def rank_of(pool: Pool, ranked: list[Ranked], number: int) -> int:
    return [candidate.id for candidate in ranked].index(pool.features[number].id)


def test_the_formula() -> None:
    pool = pool_of(
        [PoolEntry(0.5, created_at=NOW - timedelta(days=30)), PoolEntry(), PoolEntry(1.0)]
    )
    total = np.array([1.0, 3.0, 9.0])
    evidence = Evidence(total, {}, np.array([True, True, False]))
    by_id = {ranked.id: ranked for ranked in fuse(pool, evidence, "weighted", NOW)}
    half, best, far = (by_id[features.id] for features in pool.features)
    assert half.parts.text == pytest.approx(math.exp(0.3 * (1.0 - 3.0)))
    assert half.score == pytest.approx(0.6 * 0.5 + 0.4 * half.parts.text + 0.1 / math.e)
    assert (best.parts.vector, best.parts.text) == (0.0, 1.0)
    assert best.score == pytest.approx(0.4 + 0.1)
    assert (far.parts.vector, far.parts.text) == (1.0, 0.0)


def test_an_empty_pool_has_no_scores() -> None:
    assert fuse_entries([])[1] == []


def test_a_cosine_is_clamped_to_zero_and_one() -> None:
    pool, ranking = fuse_entries([PoolEntry(-0.4), PoolEntry(1.0001)])
    parts = {ranked.id: ranked.parts for ranked in ranking}
    assert [parts[features.id].vector for features in pool.features] == [0.0, 1.0]


@pytest.mark.parametrize(
    ("age", "bonus"),
    [
        (timedelta(0), 0.1),
        (timedelta(days=30), 0.1 / math.e),
        (timedelta(days=60), 0.1 / math.e**2),
        (timedelta(days=36_500), 0.0),
        (timedelta(hours=-5), 0.1),
    ],
)
def test_recency_fades_with_age(age: timedelta, bonus: float) -> None:
    assert recency([NOW - age], NOW)[0] == pytest.approx(bonus)


@given(entry_lists)
def test_scores_are_bounded_and_the_best_word_match_has_text_score_one(
    entries: list[PoolEntry],
) -> None:
    _, ranking = fuse_entries(entries)
    assert all(0 <= ranked.score <= 1.1 + 1e-9 for ranked in ranking)
    assert [ranked.score for ranked in ranking] == sorted(
        (ranked.score for ranked in ranking), reverse=True
    )
    if any(entry.tf[0] for entry in entries):
        assert max(ranked.parts.text for ranked in ranking) == pytest.approx(1.0)


@given(entry_lists)
def test_a_candidate_that_shares_no_word_has_no_text_score(entries: list[PoolEntry]) -> None:
    pool, ranking = fuse_entries(entries)
    without_words = {
        features.id
        for features, entry in zip(pool.features, entries, strict=True)
        if not entry.tf[0]
    }
    assert all(ranked.parts.text == 0 for ranked in ranking if ranked.id in without_words)


@given(st.floats(-1, 1), st.floats(-1, 1))
def test_a_higher_cosine_never_scores_lower(cosine: float, other_cosine: float) -> None:
    pool, ranking = fuse_entries([PoolEntry(cosine), PoolEntry(other_cosine)])
    scores = {ranked.id: ranked.score for ranked in ranking}
    first, second = (scores[features.id] for features in pool.features)
    assert (first - second) * (cosine - other_cosine) >= 0


@given(entry_lists)
def test_reciprocal_rank_scores_are_between_zero_and_one(entries: list[PoolEntry]) -> None:
    _, ranking = fuse_entries(entries, "rrf")
    assert all(0 <= ranked.score <= 1 + 1e-9 for ranked in ranking)


def test_reciprocal_ranks() -> None:
    pool, ranking = fuse_entries(
        [PoolEntry(0.9, (0,)), PoolEntry(0.5, (3,)), PoolEntry(0.1, (1,))], "rrf"
    )
    scores = {ranked.id: ranked.score for ranked in ranking}
    best = (1 + POLICY.rrf_text) / (POLICY.rrf_k + 1)
    assert scores[pool.features[0].id] == pytest.approx(1 / 61 / best)
    assert scores[pool.features[1].id] == pytest.approx((1 / 62 + POLICY.rrf_text / 61) / best)
    assert rank_of(pool, ranking, 1) == 0
