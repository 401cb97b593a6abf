"""Each part of the evidence lifts the candidate it is meant for, and none but that."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from uuid import UUID

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from remem.core.search.evidence import Evidence, weigh, z
from remem.core.search.plan import Plan
from remem.core.search.policy import POLICY
from tests.core.pools import NOW, One, pool_of

PLAN = Plan("harbour", "harbour")
HERE, THERE = UUID(int=1), UUID(int=2)
LAST_WEEK = [(NOW - timedelta(days=8), NOW - timedelta(days=6))]
some = st.lists(
    st.builds(
        One,
        cosine=st.floats(-1, 1),
        tf=st.tuples(st.integers(0, 5)),
        speaker=st.sampled_from(["", "ann", "bob"]),
        thread_id=st.sampled_from([HERE, THERE]),
        place=st.integers(0, 10),
        asks=st.floats(0, 1),
        tells_time=st.booleans(),
        chars=st.sampled_from([100, POLICY.turn_chars, POLICY.turn_chars + 1]),
        exact=st.integers(0, 2),
    ),
    max_size=20,
)


def weighed(ones: Sequence[One], plan: Plan = PLAN) -> Evidence:
    return weigh(pool_of(ones), plan)


def apart(*ones: One) -> list[One]:
    """Each a document of its own, so that none is another's company."""
    return [replace(one, thread_id=UUID(int=100 + n)) for n, one in enumerate(ones)]


@pytest.mark.parametrize(
    ("part", "better", "plan"),
    [
        ("words", One(tf=(3,)), PLAN),
        ("speaker", One(tf=(1,), speaker="ann lee"), Plan("x", "x", speaker="ann")),
        (
            "in_time",
            One(tf=(1,), said_at=NOW - timedelta(days=7)),
            Plan("x", "x", windows=LAST_WEEK),
        ),
        ("tells_time", One(tf=(1,), tells_time=True), Plan("x", "x", asks_when=True)),
        ("exact", One(tf=(1,), exact=1), Plan("x", "x", exact=("#42",))),
    ],
)
def test_a_part_alone_lifts_the_one_it_is_meant_for(part: str, better: One, plan: Plan) -> None:
    evidence = weighed(apart(One(tf=(1,)), better, One(tf=(1,))), plan)
    assert int(np.argmax(evidence.total)) == 1
    assert evidence.parts[part][1] > evidence.parts[part][0]
    assert evidence.parts[part][0] == evidence.parts[part][2]
    assert evidence.total[0] == evidence.total[2]


@pytest.mark.parametrize(
    ("part", "one"),
    [
        ("speaker", One(speaker="ann")),
        ("in_time", One(said_at=NOW - timedelta(days=7))),
        ("tells_time", One(tells_time=True)),
    ],
)
def test_what_the_query_does_not_ask_for_counts_nothing(part: str, one: One) -> None:
    assert weighed(apart(one, One())).parts[part].tolist() == [0, 0]


def test_a_speaker_is_known_by_the_first_name_alone() -> None:
    ones = [One(speaker=name) for name in ("ann", "ann lee", "anna", "lee ann", "")]
    spoken = weighed(apart(*ones), Plan("x", "x", speaker="ann")).parts["speaker"]
    assert spoken.tolist() == [POLICY.evidence["speaker"], POLICY.evidence["speaker"], 0, 0, 0]


def test_a_window_holds_its_first_moment_and_not_its_last() -> None:
    start, end = LAST_WEEK[0]
    ones = apart(One(said_at=start), One(said_at=end), One(said_at=start - timedelta(seconds=1)))
    evidence = weighed(ones, Plan("x", "x", windows=LAST_WEEK))
    assert evidence.parts["in_time"].tolist() == [POLICY.evidence["in_time"], 0, 0]


def test_a_question_is_no_answer() -> None:
    evidence = weighed(apart(One(tf=(1,), asks=1.0), One(tf=(1,))))
    assert evidence.total[0] < evidence.total[1]
    assert evidence.parts["asks"][0] == POLICY.evidence["asks"]


def test_the_turn_behind_a_question_that_fits_is_its_answer() -> None:
    asked = One(0.9, (2,), "ann", HERE, place=4, asks=1.0)
    answer, other = One(0.1, (0,), "bob", HERE, place=5), One(0.1, (0,), "bob", THERE, place=5)
    evidence = weighed([asked, answer, other])
    assert evidence.parts["answers"][1] > 0
    assert evidence.parts["answers"][0] == evidence.parts["answers"][2] == 0
    assert evidence.total[1] > evidence.total[2]


def test_what_stands_among_what_fits_is_lifted() -> None:
    ones = [One(0.9, (3,), thread_id=HERE, place=n) for n in range(3)]
    inside, outside = One(0.1, (1,), thread_id=HERE, place=9), One(0.1, (1,), thread_id=THERE)
    company = weighed([*ones, inside, outside]).parts["thread_score"]
    assert company[3] > company[4]


@pytest.mark.parametrize(
    ("neighbour", "lends"),
    [
        (One(tf=(3,), speaker="ann", thread_id=HERE, place=4), True),
        (One(tf=(3,), speaker="ann", thread_id=HERE, place=3), True),
        (One(tf=(3,), speaker="ann", thread_id=HERE, place=6), True),
        (One(tf=(3,), speaker="ann", thread_id=HERE, place=7), False),
        (One(tf=(3,), speaker="ann", thread_id=HERE, place=2), False),
        (One(tf=(3,), speaker="ann", thread_id=THERE, place=4), False),
        (One(tf=(3,), speaker="", thread_id=HERE, place=4), False),
        (One(tf=(3,), speaker="ann", thread_id=HERE, place=4, chars=POLICY.turn_chars), True),
        (One(tf=(3,), speaker="ann", thread_id=HERE, place=4, chars=POLICY.turn_chars + 1), False),
    ],
)
def test_only_short_turns_of_one_thread_lend_their_words(neighbour: One, lends: bool) -> None:
    turn = One(speaker="bob", thread_id=HERE, place=5)
    evidence = weighed([turn, neighbour, One(tf=(1,), thread_id=UUID(int=9))])
    assert bool(evidence.matches_any_term[0]) is lends


def test_chunks_of_a_document_nobody_speaks_do_not_lean_on_each_other() -> None:
    ones = [One(tf=(n == 1,), thread_id=HERE, place=n) for n in range(4)]
    assert weighed(ones).matches_any_term.tolist() == [False, True, False, False]


def test_the_nearer_turn_before_lends_more() -> None:
    def words(place: int) -> float:
        far = One(speaker="ann", thread_id=THERE, place=5)
        turn = One(speaker="ann", thread_id=HERE, place=5)
        word = One(tf=(2,), speaker="bob", thread_id=HERE, place=place)
        return float(np.subtract(*weighed([turn, far, word]).parts["words"][:2]))

    assert words(4) > words(3) > 0
    assert words(4) > words(6) > 0


@given(some)
def test_the_total_is_the_sum_of_its_parts_and_always_the_same(ones: list[One]) -> None:
    plan = Plan("x", "x", speaker="ann", exact=("#4", "#5"), windows=LAST_WEEK, asks_when=True)
    pool = pool_of(ones)
    first, again = weigh(pool, plan), weigh(pool, plan)
    assert first.parts.keys() == POLICY.evidence.keys()
    assert first.total.tolist() == again.total.tolist()
    assert np.isfinite(first.total).all()
    assert first.total == pytest.approx(sum(first.parts.values(), np.zeros(len(ones))))
    assert pool.tf.tolist() == pool_of(ones).tf.tolist(), "what is weighed is left as it was"


@pytest.mark.parametrize("plan", [PLAN, Plan("x", "x", "ann", ("#4",), LAST_WEEK, True)])
def test_pools_of_none_and_of_one(plan: Plan) -> None:
    none = weighed([], plan)
    assert none.total.tolist() == none.matches_any_term.tolist() == []
    one = weighed([One(0.5, (2,), "ann", exact=1)], plan)
    assert one.matches_any_term.tolist() == [True]
    assert one.parts["words"].tolist() == [0], "alone it is neither above nor below its company"


def test_a_pool_without_any_term_is_weighed_too() -> None:
    evidence = weighed([One(0.4, ()), One(0.2, ())])
    assert evidence.matches_any_term.tolist() == [False, False]
    assert np.isfinite(evidence.total).all()


@given(st.lists(st.floats(-1e6, 1e6), max_size=20))
def test_deviations_have_no_mean_and_keep_the_order(values: list[float]) -> None:
    found = z(np.array(values))
    assert found.sum() == pytest.approx(0, abs=1e-6)
    assert np.all(np.diff(found[np.argsort(values, kind="stable")]) >= -1e-9)
