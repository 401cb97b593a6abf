"""One score from meaning, words and age: 0.6 vector + 0.4 text + 0.1 exp(-age_days / 30)."""

import math
from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remem.core.search.fuse import fuse, recency, score
from remem.core.search.model import Parts
from remem.core.time import new_id

NOW = datetime(2026, 11, 15, 12, tzinfo=UTC)
A, B, C = (new_id() for _ in range(3))

cosines = st.floats(min_value=-1, max_value=1)
bm25 = st.floats(min_value=1e-6, max_value=1e3)


def fresh(*ids: UUID) -> dict[UUID, datetime]:
    return dict.fromkeys(ids, NOW)


def test_the_formula() -> None:
    parts = fuse({A: 0.5}, {A: 3.0, B: 6.0}, {A: NOW - timedelta(days=30), B: NOW}, NOW)
    assert parts[A] == Parts(vector=0.5, text=0.5, recency=0.1 * math.exp(-1))
    assert score(parts[A]) == pytest.approx(0.6 * 0.5 + 0.4 * 0.5 + 0.1 * math.exp(-1))
    assert score(parts[B]) == pytest.approx(0.4 + 0.1)


def test_what_is_missing_from_one_list_counts_nothing_there() -> None:
    parts = fuse({A: 0.9}, {B: 2.0}, fresh(A, B, C), NOW)
    assert (parts[A].vector, parts[A].text) == (0.9, 0.0)
    assert (parts[B].vector, parts[B].text) == (0.0, 1.0)
    assert (parts[C].vector, parts[C].text) == (0.0, 0.0)


def test_only_what_passed_the_filters_is_scored() -> None:
    assert set(fuse({A: 0.9, B: 0.8}, {C: 1.0}, fresh(A), NOW)) == {A}


def test_nothing_found_is_nothing_scored() -> None:
    assert fuse({}, {}, {}, NOW) == {}


def test_a_cosine_below_zero_counts_as_none_and_rounding_above_one_as_one() -> None:
    parts = fuse({A: -0.4, B: 1.0001}, {}, fresh(A, B), NOW)
    assert parts[A].vector == 0.0
    assert parts[B].vector == 1.0


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
    assert recency(NOW - age, NOW) == pytest.approx(bonus)


@given(
    st.dictionaries(st.uuids(), cosines, max_size=8),
    st.dictionaries(st.uuids(), bm25, max_size=8),
    st.integers(min_value=0, max_value=10_000),
)
def test_scores_are_bounded_and_the_best_word_match_counts_full(
    vector: dict[UUID, float], text: dict[UUID, float], age_days: int
) -> None:
    created = dict.fromkeys([*vector, *text], NOW - timedelta(days=age_days))
    parts = fuse(vector, text, created, NOW)
    assert all(0 <= score(one) <= 1.1 for one in parts.values())
    if text:
        assert max(one.text for one in parts.values()) == 1.0


@given(cosines, cosines)
def test_nearer_in_meaning_is_never_lower(one: float, other: float) -> None:
    parts = fuse({A: one, B: other}, {}, fresh(A, B), NOW)
    assert (score(parts[A]) - score(parts[B])) * (one - other) >= 0
