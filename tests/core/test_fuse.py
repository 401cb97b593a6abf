"""One score from meaning, words and age: 0.6 vector + 0.4 text + 0.1 exp(-age_days / 30)."""

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
from tests.core.pools import NOW, One, pool_of

PLAN = Plan("harbour", "harbour")
ones = st.lists(
    st.builds(
        One,
        cosine=st.floats(-1, 1),
        tf=st.tuples(st.integers(0, 5)),
        thread_id=st.sampled_from([UUID(int=n) for n in range(4)]),
        place=st.integers(0, 20),
        created_at=st.timedeltas(timedelta(0), timedelta(days=900)).map(lambda age: NOW - age),
    ),
    max_size=30,
)


def fused(some: list[One], fusion: Fusion = "weighted") -> tuple[Pool, list[Ranked]]:
    pool = pool_of(some)
    return pool, fuse(pool, weigh(pool, PLAN), fusion, NOW)


def place_of(pool: Pool, ranked: list[Ranked], number: int) -> int:
    return [one.id for one in ranked].index(pool.features[number].id)


def test_the_formula() -> None:
    pool = pool_of([One(0.5, created_at=NOW - timedelta(days=30)), One(), One(1.0)])
    total = np.array([1.0, 3.0, 9.0])
    evidence = Evidence(total, {}, np.array([True, True, False]))
    found = {one.id: one for one in fuse(pool, evidence, "weighted", NOW)}
    half, best, far = (found[sign.id] for sign in pool.features)
    assert half.parts.text == pytest.approx(math.exp(0.3 * (1.0 - 3.0)))
    assert half.score == pytest.approx(0.6 * 0.5 + 0.4 * half.parts.text + 0.1 / math.e)
    assert (best.parts.vector, best.parts.text) == (0.0, 1.0)
    assert best.score == pytest.approx(0.4 + 0.1)
    assert (far.parts.vector, far.parts.text) == (1.0, 0.0)


def test_nothing_found_is_nothing_scored() -> None:
    assert fused([])[1] == []


def test_a_cosine_below_zero_counts_as_none_and_rounding_above_one_as_one() -> None:
    pool, found = fused([One(-0.4), One(1.0001)])
    parts = {one.id: one.parts for one in found}
    assert [parts[sign.id].vector for sign in pool.features] == [0.0, 1.0]


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


@given(ones)
def test_scores_are_bounded_and_the_best_word_match_counts_full(some: list[One]) -> None:
    _, found = fused(some)
    assert all(0 <= one.score <= 1.1 + 1e-9 for one in found)
    assert [one.score for one in found] == sorted((one.score for one in found), reverse=True)
    if any(one.tf[0] for one in some):
        assert max(one.parts.text for one in found) == pytest.approx(1.0)


@given(ones)
def test_what_shares_no_word_has_no_text_score(some: list[One]) -> None:
    pool, found = fused(some)
    silent = {sign.id for sign, one in zip(pool.features, some, strict=True) if not one.tf[0]}
    assert all(one.parts.text == 0 for one in found if one.id in silent)


@given(st.floats(-1, 1), st.floats(-1, 1))
def test_nearer_in_meaning_is_never_lower(one: float, other: float) -> None:
    pool, found = fused([One(one), One(other)])
    scores = {each.id: each.score for each in found}
    first, second = (scores[sign.id] for sign in pool.features)
    assert (first - second) * (one - other) >= 0


@given(ones)
def test_reciprocal_ranks_lie_between_nothing_and_first_in_both(some: list[One]) -> None:
    _, found = fused(some, "rrf")
    assert all(0 <= one.score <= 1 + 1e-9 for one in found)


def test_reciprocal_ranks() -> None:
    pool, found = fused([One(0.9, (0,)), One(0.5, (3,)), One(0.1, (1,))], "rrf")
    scores = {one.id: one.score for one in found}
    best = (1 + POLICY.rrf_text) / (POLICY.rrf_k + 1)
    assert scores[pool.features[0].id] == pytest.approx(1 / 61 / best)
    assert scores[pool.features[1].id] == pytest.approx((1 / 62 + POLICY.rrf_text / 61) / best)
    assert place_of(pool, found, 1) == 0
