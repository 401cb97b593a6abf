"""What outweighs what in a search, and where it begins to find nothing: every weight has a case in
which twice as much of it would put another first."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from uuid import UUID

import numpy as np
import pytest

from remem.core.errors import Invalid
from remem.core.search.evidence import Evidence, weigh
from remem.core.search.floor import weak_flags
from remem.core.search.fuse import fuse, text_scores
from remem.core.search.group import best
from remem.core.search.merge import merge_sources
from remem.core.search.model import Features, Query, Ranked, ScoreParts
from remem.core.search.named import add_named_evidence
from remem.core.search.plan import Plan
from remem.core.search.prefer_newer import prefer_newer
from remem.core.search.rank import check
from remem.core.search.rerank import RankedText, by_relevance, is_talk, max_texts
from remem.core.time import new_id
from tests.core.pools import NOW, One, pool_of

LAST_WEEK = [(NOW - timedelta(days=8), NOW - timedelta(days=6))]
IN_TIME = NOW - timedelta(days=7)
ASKED = Plan(
    "the harbour plan of ann",
    "x",
    speaker="ann",
    exact=("#42",),
    windows=LAST_WEEK,
    asks_when=True,
)
SPOKEN, TIMED, DATED = One(speaker="ann"), One(said_at=IN_TIME), One(tells_time=True)
EXACT, TITLED = One(exact=1), One(title="Harbour Plan")


def totals(*ones: One, plan: Plan = ASKED) -> list[float]:
    """The evidence for candidates that have nothing to do with each other."""
    apart = [replace(one, thread_id=UUID(int=100 + n)) for n, one in enumerate(ones)]
    return weigh(pool_of(apart), plan).total.tolist()


@pytest.mark.parametrize(
    ("more", "less"),
    [
        # From the time that is asked for, rather than by who is asked about.
        (TIMED, SPOKEN),
        (SPOKEN, DATED),
        (DATED, TITLED),
        # A string to the letter counts more than any one of these, and less than two.
        (EXACT, TIMED),
        (replace(SPOKEN, said_at=IN_TIME), EXACT),
        # A question counts less, but no less than a title counts for it.
        (replace(TITLED, asks=1.0), One()),
        (One(), One(asks=1.0)),
    ],
)
def test_what_counts_more(more: One, less: One) -> None:
    one, other = totals(more, less)
    assert one > other


def test_a_date_counts_more_than_the_words() -> None:
    dated, worded, _ = totals(DATED, One(tf=(2,)), One())
    assert dated > worded


def test_words_count_more_than_nothing_and_less_than_a_date_and_a_title() -> None:
    both, worded = totals(replace(TITLED, tells_time=True), One(tf=(2,)))
    assert both - worded > 1


def test_the_turn_behind_a_question_counts_less_than_who_is_asked_about() -> None:
    here, there = UUID(int=1), UUID(int=2)
    question = One(0.9, (2,), "bob", here, place=4, asks=1.0)
    answer = One(0.1, (0,), "bob", here, place=5)
    pool = pool_of([question, answer, replace(SPOKEN, thread_id=there)])
    _, behind, spoken = weigh(pool, ASKED).total
    assert 0 < behind < spoken


def test_a_string_to_the_letter_counts_more_than_to_be_named_by_the_best_result() -> None:
    pool = pool_of([replace(EXACT, thread_id=UUID(int=1)), replace(One(), thread_id=UUID(int=2))])
    exact, named = add_named_evidence(weigh(pool, ASKED), np.array([0.0, 1.0])).total
    assert named > 0
    assert exact > named


# Reliance on words


@pytest.mark.parametrize(
    ("covered", "text"),
    # Of ten words of the query, so many are in the best text; it has this much of a text score.
    [(10, 1.0), (7, 1.0), (5, 0.825), (3, 0.688), (1, 0.651)],
)
def test_the_fewer_words_of_the_query_the_less_they_count(covered: int, text: float) -> None:
    tf = tuple(int(n < covered) for n in range(10))
    pool = pool_of([One(0.3, tf), replace(One(0.2, (0,) * 10), thread_id=UUID(int=7))])
    assert max(text_scores(weigh(pool, Plan("x", "x")))) == pytest.approx(text, abs=5e-3)


@pytest.mark.parametrize(
    ("quality", "share"),
    # A memory that proved good gains a twentieth of its score, a bad one loses three tenths.
    [(1, 1.05), (0, 1.0), (-1, 0.7)],
)
def test_what_was_said_of_a_memory_counts(quality: int, share: float) -> None:
    def score(said: int) -> float:
        pool = pool_of([One(0.5, created_at=NOW - timedelta(days=3_650))])
        pool = replace(pool, features=[pool.features[0]._replace(quality=said)])
        return fuse(pool, Evidence(np.zeros(1), {}, np.array([False])), "weighted", NOW)[0].score

    assert score(quality) == pytest.approx(share * score(0))


# What is left out


def is_weak(
    cosines: Sequence[float], covered: float = 0.0, *, exact: bool = False, by_name: bool = False
) -> list[bool]:
    """For candidates of these cosines; the first has this share of the query's words."""
    ones = [One(cosine, (0,) * 100) for cosine in cosines]
    tf = tuple(int(n < round(100 * covered)) for n in range(100))
    ones[0] = replace(ones[0], tf=tf, exact=int(exact))
    pool = pool_of(ones)
    return weak_flags(
        pool, Evidence(np.zeros(len(ones)), {}, np.ones(len(ones), bool), 1.0, by_name)
    )


@pytest.mark.parametrize(
    ("asked", "near", "far"),
    [
        # Without a word in common it has to be nearer than with half of them, with an exact string,
        # or from somebody whom the query names.
        ({}, 0.23, 0.22),
        ({"covered": 0.5}, 0.195, 0.185),
        ({"exact": True}, 0.172, 0.165),
        ({"by_name": True}, 0.184, 0.176),
    ],
)
def test_in_a_small_store_so_near_is_an_answer(asked: dict, near: float, far: float) -> None:
    assert is_weak([near], **asked) == [False]
    assert is_weak([far], **asked) == [True]


def test_words_that_say_most_of_the_query_are_an_answer_however_far() -> None:
    assert is_weak([0.05], covered=0.69)[0] is False
    assert is_weak([0.05], covered=0.66)[0] is True


def test_without_vectors_a_fifth_of_the_query_is_an_answer() -> None:
    assert is_weak([0.0], covered=0.21) == [False]
    assert is_weak([0.0], covered=0.19) == [True]


def test_each_candidate_has_to_be_near_by_itself() -> None:
    assert is_weak([0.3, 0.16, 0.14]) == [False, False, True]


def test_and_as_near_as_a_third_of_the_nearest() -> None:
    assert is_weak([0.9, 0.31, 0.29]) == [False, False, True]


def test_words_help_a_candidate_that_is_a_little_too_far() -> None:
    first = [0.3, 0.1]
    pool = pool_of([One(cosine, (int(cosine < 0.2), *(0,) * 4)) for cosine in first])
    assert weak_flags(pool, Evidence(np.zeros(2), {}, np.ones(2, bool))) == [False, False]
    pool = pool_of([One(cosine, (int(cosine < 0.2), *(0,) * 9)) for cosine in first])
    assert weak_flags(pool, Evidence(np.zeros(2), {}, np.ones(2, bool))) == [False, True]


def test_what_a_result_names_may_be_further_away() -> None:
    parts = {"named": np.array([0.0, 1.0, 1.0])}
    pool = pool_of([One(0.3, (0,)), One(0.06, (0,)), One(0.04, (0,))])
    assert weak_flags(pool, Evidence(np.zeros(3), parts, np.ones(3, bool))) == [False, False, True]


def crowd(nearest: float, count: int, behind: float = 0.15) -> bool:
    """Whether the nearest of a store stands out, the others all being equally far away."""
    return not is_weak([nearest, *[behind] * (count - 1)])[0]


def test_in_a_store_full_of_the_same_the_nearest_has_to_stand_out() -> None:
    assert crowd(0.24, 20), "too few to compare with"
    assert not crowd(0.24, 22)
    assert crowd(0.6, 22)


def test_the_background_is_what_stands_behind_the_first_ten() -> None:
    assert not is_weak([0.16, *[0.15] * 9, *[0.0] * 21])[0], "ten near ones stand out together"
    assert is_weak([0.16, *[0.15] * 19, *[0.0] * 11])[0], "of twenty, ten are the background"


def test_the_background_ends_with_the_fiftieth() -> None:
    assert is_weak([0.3, *[0.2] * 49, *[0.0] * 50])[0]
    assert not is_weak([0.3, *[0.2] * 9, *[0.0] * 90])[0]


# Groups, newer ones, what a reader says


def ranked(count: int, group: int | None = None) -> list[Ranked]:
    return [
        Ranked(UUID(int=n + 1), UUID(int=group or n + 1), 1.0 - n / 100, ScoreParts())
        for n in range(count)
    ]


def test_of_one_document_ten_chunks_are_shown_and_of_two_results_six() -> None:
    assert len(best(ranked(40, group=5), 10)) == 10
    assert len(best(ranked(40, group=5), 2)) == 6


def test_ten_results_come_where_no_number_is_given() -> None:
    assert len(best(ranked(40), Query("x").limit)) == 10


@pytest.mark.parametrize(
    ("query", "field"),
    [
        (Query("x" * 10_001), "query"),
        (Query("x", limit=101), "limit"),
        (Query("x", limit=0), "limit"),
    ],
)
def test_a_query_has_limits(query: Query, field: str) -> None:
    check(Query("x" * 10_000, limit=100))
    with pytest.raises(Invalid, match=field):
        check(query)


def test_only_the_first_three_threads_are_compared_with_each_other() -> None:
    def first_after(threads: int) -> UUID:
        ones = [
            One(0.9 - n / 10, (2,), "ann", UUID(int=n + 1), said_at=NOW - timedelta(days=90 - n))
            for n in range(threads)
        ]
        pool = pool_of(ones)
        order = fuse(pool, weigh(pool, Plan("x", "x")), "weighted", NOW)
        return prefer_newer(pool, order)[0].group_id

    assert first_after(3) == UUID(int=3)
    assert first_after(5) == UUID(int=3)


@pytest.mark.parametrize(("shared", "changes"), [(3, True), (2, False)])
def test_two_are_alike_by_three_tenths_of_their_words(shared: int, changes: bool) -> None:
    words = [
        tuple(int(n < 4 + shared) for n in range(10)),
        tuple(int(n >= 4) for n in range(10)),
    ]
    ones = [
        One(0.9 - at / 10, tf, "ann", UUID(int=at + 1), said_at=NOW + timedelta(days=at))
        for at, tf in enumerate(words)
    ]
    pool = pool_of(ones)
    order = fuse(pool, weigh(pool, Plan("x", "x")), "weighted", NOW)
    assert (prefer_newer(pool, order)[0].group_id == UUID(int=2)) is changes


def test_a_reader_counts_two_fifths_and_in_a_talk_three() -> None:
    order = [one._replace(score=1.0 - n / 2) for n, one in enumerate(ranked(3))]
    relevance = [0.0, 0.6, 1.0]
    assert by_relevance(order, relevance)[0] == 0
    assert by_relevance(order, relevance, talks=True)[0] == 2, "more than a half"
    assert by_relevance(order, [0.0, 0.7, 1.0], talks=True)[0] == 1, "no more than three fifths"


def test_of_a_talk_as_many_are_read_as_have_sixteen_thousand_characters() -> None:
    assert max_texts([RankedText("x" * 500, "")] * 30) == 30
    assert max_texts([RankedText("x" * 800, "")] * 30) == 20
    assert max_texts([RankedText("x" * 640, "")] * 30) == 25


def test_it_is_a_talk_by_the_first_twenty() -> None:
    turns, notes = [RankedText("a", "b")] * 11, [RankedText("a")] * 9
    assert is_talk([*turns, *notes, *[RankedText("a")] * 20])


# A chunk and its memories


@pytest.mark.parametrize(
    ("cosine", "says_it"),
    # The chunk has half of the words more: the memory has to be a quarter nearer.
    [(0.45, "chunk"), (0.55, "memory")],
)
def test_which_of_a_chunk_and_its_memory_says_it_best(cosine: float, says_it: str) -> None:
    chunk_id, memory_id = new_id(), new_id()
    pool = pool_of([One(0.25, (1, 1)), One(cosine, (1, 0))])
    chunk = pool.features[0]._replace(id=chunk_id, chunk_id=chunk_id)
    memory = Features(*chunk)._replace(id=memory_id, kind="memory", chunk_id=chunk_id)
    merged = merge_sources(replace(pool, features=[chunk, memory]))
    assert list(merged.best) == [memory_id if says_it == "memory" else chunk_id]
