"""Each part of the evidence raises the candidate it is meant for, and no other."""

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
from tests.core.pools import NOW, PoolEntry, pool_of

PLAN = Plan("harbour", "harbour")
HERE, THERE = UUID(int=1), UUID(int=2)
LAST_WEEK = [(NOW - timedelta(days=8), NOW - timedelta(days=6))]
pools = st.lists(
    st.builds(
        PoolEntry,
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


def weigh_entries(entries: Sequence[PoolEntry], plan: Plan = PLAN) -> Evidence:
    return weigh(pool_of(entries), plan)


def in_separate_threads(*entries: PoolEntry) -> list[PoolEntry]:
    """Give each entry a thread of its own, so that no entry scores through another."""
    return [replace(entry, thread_id=UUID(int=100 + n)) for n, entry in enumerate(entries)]


@pytest.mark.parametrize(
    ("part", "better", "plan"),
    [
        ("words", PoolEntry(tf=(3,)), PLAN),
        ("speaker", PoolEntry(tf=(1,), speaker="ann lee"), Plan("x", "x", speaker="ann")),
        (
            "in_time",
            PoolEntry(tf=(1,), said_at=NOW - timedelta(days=7)),
            Plan("x", "x", windows=LAST_WEEK),
        ),
        ("tells_time", PoolEntry(tf=(1,), tells_time=True), Plan("x", "x", asks_when=True)),
        ("exact", PoolEntry(tf=(1,), exact=1), Plan("x", "x", exact=("#42",))),
    ],
)
def test_each_part_raises_the_candidate_it_is_meant_for(
    part: str, better: PoolEntry, plan: Plan
) -> None:
    evidence = weigh_entries(
        in_separate_threads(PoolEntry(tf=(1,)), better, PoolEntry(tf=(1,))), plan
    )
    assert int(np.argmax(evidence.total)) == 1
    assert evidence.parts[part][1] > evidence.parts[part][0]
    assert evidence.parts[part][0] == evidence.parts[part][2]
    assert evidence.total[0] == evidence.total[2]


@pytest.mark.parametrize(
    ("part", "entry"),
    [
        ("speaker", PoolEntry(speaker="ann")),
        ("in_time", PoolEntry(said_at=NOW - timedelta(days=7))),
        ("tells_time", PoolEntry(tells_time=True)),
    ],
)
def test_a_feature_the_query_does_not_ask_for_scores_nothing(part: str, entry: PoolEntry) -> None:
    assert weigh_entries(in_separate_threads(entry, PoolEntry())).parts[part].tolist() == [0, 0]


def test_a_speaker_is_matched_by_the_first_name() -> None:
    entries = [PoolEntry(speaker=name) for name in ("ann", "ann lee", "anna", "lee ann", "")]
    scores = weigh_entries(in_separate_threads(*entries), Plan("x", "x", speaker="ann")).parts[
        "speaker"
    ]
    assert scores.tolist() == [POLICY.evidence["speaker"], POLICY.evidence["speaker"], 0, 0, 0]


def test_a_window_includes_its_start_and_not_its_end() -> None:
    start, end = LAST_WEEK[0]
    entries = in_separate_threads(
        PoolEntry(said_at=start),
        PoolEntry(said_at=end),
        PoolEntry(said_at=start - timedelta(seconds=1)),
    )
    evidence = weigh_entries(entries, Plan("x", "x", windows=LAST_WEEK))
    assert evidence.parts["in_time"].tolist() == [POLICY.evidence["in_time"], 0, 0]


def test_a_question_scores_lower_than_a_statement() -> None:
    evidence = weigh_entries(in_separate_threads(PoolEntry(tf=(1,), asks=1.0), PoolEntry(tf=(1,))))
    assert evidence.total[0] < evidence.total[1]
    assert evidence.parts["asks"][0] == POLICY.evidence["asks"]


def test_the_turn_after_a_matching_question_is_its_answer() -> None:
    question = PoolEntry(0.9, (2,), "ann", HERE, place=4, asks=1.0)
    answer, other = (
        PoolEntry(0.1, (0,), "bob", HERE, place=5),
        PoolEntry(0.1, (0,), "bob", THERE, place=5),
    )
    evidence = weigh_entries([question, answer, other])
    assert evidence.parts["answers"][1] > 0
    assert evidence.parts["answers"][0] == evidence.parts["answers"][2] == 0
    assert evidence.total[1] > evidence.total[2]


def test_a_candidate_in_a_matching_thread_is_raised() -> None:
    entries = [PoolEntry(0.9, (3,), thread_id=HERE, place=n) for n in range(3)]
    inside, outside = (
        PoolEntry(0.1, (1,), thread_id=HERE, place=9),
        PoolEntry(0.1, (1,), thread_id=THERE),
    )
    thread_scores = weigh_entries([*entries, inside, outside]).parts["thread_score"]
    assert thread_scores[3] > thread_scores[4]


@pytest.mark.parametrize(
    ("neighbour", "shares"),
    [
        (PoolEntry(tf=(3,), speaker="ann", thread_id=HERE, place=4), True),
        (PoolEntry(tf=(3,), speaker="ann", thread_id=HERE, place=3), True),
        (PoolEntry(tf=(3,), speaker="ann", thread_id=HERE, place=6), True),
        (PoolEntry(tf=(3,), speaker="ann", thread_id=HERE, place=7), False),
        (PoolEntry(tf=(3,), speaker="ann", thread_id=HERE, place=2), False),
        (PoolEntry(tf=(3,), speaker="ann", thread_id=THERE, place=4), False),
        (PoolEntry(tf=(3,), speaker="", thread_id=HERE, place=4), False),
        (PoolEntry(tf=(3,), speaker="ann", thread_id=HERE, place=4, chars=POLICY.turn_chars), True),
        (
            PoolEntry(tf=(3,), speaker="ann", thread_id=HERE, place=4, chars=POLICY.turn_chars + 1),
            False,
        ),
    ],
)
def test_only_short_turns_of_the_same_thread_share_their_words(
    neighbour: PoolEntry, shares: bool
) -> None:
    turn = PoolEntry(speaker="bob", thread_id=HERE, place=5)
    evidence = weigh_entries([turn, neighbour, PoolEntry(tf=(1,), thread_id=UUID(int=9))])
    assert bool(evidence.matches_any_term[0]) is shares


def test_chunks_without_a_speaker_do_not_share_their_words() -> None:
    entries = [PoolEntry(tf=(n == 1,), thread_id=HERE, place=n) for n in range(4)]
    assert weigh_entries(entries).matches_any_term.tolist() == [False, True, False, False]


def test_the_nearest_preceding_turn_shares_most() -> None:
    def words(place: int) -> float:
        far = PoolEntry(speaker="ann", thread_id=THERE, place=5)
        turn = PoolEntry(speaker="ann", thread_id=HERE, place=5)
        word = PoolEntry(tf=(2,), speaker="bob", thread_id=HERE, place=place)
        return float(np.subtract(*weigh_entries([turn, far, word]).parts["words"][:2]))

    assert words(4) > words(3) > 0
    assert words(4) > words(6) > 0


@given(pools)
def test_the_total_is_the_sum_of_its_parts_and_deterministic(entries: list[PoolEntry]) -> None:
    plan = Plan("x", "x", speaker="ann", exact=("#4", "#5"), windows=LAST_WEEK, asks_when=True)
    pool = pool_of(entries)
    first, again = weigh(pool, plan), weigh(pool, plan)
    assert first.parts.keys() == POLICY.evidence.keys()
    assert first.total.tolist() == again.total.tolist()
    assert np.isfinite(first.total).all()
    assert first.total == pytest.approx(sum(first.parts.values(), np.zeros(len(entries))))
    assert pool.tf.tolist() == pool_of(entries).tf.tolist(), "weighing does not change the pool"


@pytest.mark.parametrize("plan", [PLAN, Plan("x", "x", "ann", ("#4",), LAST_WEEK, True)])
def test_an_empty_pool_and_a_pool_of_one(plan: Plan) -> None:
    empty = weigh_entries([], plan)
    assert empty.total.tolist() == empty.matches_any_term.tolist() == []
    single = weigh_entries([PoolEntry(0.5, (2,), "ann", exact=1)], plan)
    assert single.matches_any_term.tolist() == [True]
    assert single.parts["words"].tolist() == [0], "a single entry is at the mean of its pool"


def test_a_pool_without_any_term() -> None:
    evidence = weigh_entries([PoolEntry(0.4, ()), PoolEntry(0.2, ())])
    assert evidence.matches_any_term.tolist() == [False, False]
    assert np.isfinite(evidence.total).all()


@given(st.lists(st.floats(-1e6, 1e6), max_size=20))
def test_z_scores_have_mean_zero_and_keep_the_order(values: list[float]) -> None:
    deviations = z(np.array(values))
    assert deviations.sum() == pytest.approx(0, abs=1e-6)
    assert np.all(np.diff(deviations[np.argsort(values, kind="stable")]) >= -1e-9)
