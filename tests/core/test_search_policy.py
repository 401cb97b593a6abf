"""Which evidence outweighs which in a search, and which results are weak: every weight has a case
in which doubling it would put another result first."""

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
from tests.core.pools import NOW, PoolEntry, pool_of

LAST_WEEK = [(NOW - timedelta(days=8), NOW - timedelta(days=6))]
IN_TIME = NOW - timedelta(days=7)
PLAN = Plan(
    "the harbour plan of ann",
    "x",
    speaker="ann",
    exact=("#42",),
    windows=LAST_WEEK,
    asks_when=True,
)
SPOKEN, TIMED, DATED = (
    PoolEntry(speaker="ann"),
    PoolEntry(said_at=IN_TIME),
    PoolEntry(tells_time=True),
)
EXACT, TITLED = PoolEntry(exact=1), PoolEntry(title="Harbour Plan")


def totals(*entries: PoolEntry, plan: Plan = PLAN) -> list[float]:
    """The evidence for candidates of unrelated threads."""
    unrelated = [replace(entry, thread_id=UUID(int=100 + n)) for n, entry in enumerate(entries)]
    return weigh(pool_of(unrelated), plan).total.tolist()


@pytest.mark.parametrize(
    ("more", "less"),
    [
        # The time of the query counts more than its speaker.
        (TIMED, SPOKEN),
        (SPOKEN, DATED),
        (DATED, TITLED),
        # An exact string counts more than any of these, and less than two of them.
        (EXACT, TIMED),
        (replace(SPOKEN, said_at=IN_TIME), EXACT),
        # A question counts less, but a title makes up for that.
        (replace(TITLED, asks=1.0), PoolEntry()),
        (PoolEntry(), PoolEntry(asks=1.0)),
    ],
)
def test_evidence_that_counts_more(more: PoolEntry, less: PoolEntry) -> None:
    total_of_more, total_of_less = totals(more, less)
    assert total_of_more > total_of_less


def test_a_date_counts_more_than_the_words() -> None:
    dated, worded, _ = totals(DATED, PoolEntry(tf=(2,)), PoolEntry())
    assert dated > worded


def test_a_date_and_a_title_count_more_than_words() -> None:
    both, worded = totals(replace(TITLED, tells_time=True), PoolEntry(tf=(2,)))
    assert both - worded > 1


def test_the_turn_after_a_question_counts_less_than_the_speaker_of_the_query() -> None:
    here, there = UUID(int=1), UUID(int=2)
    question = PoolEntry(0.9, (2,), "bob", here, place=4, asks=1.0)
    answer = PoolEntry(0.1, (0,), "bob", here, place=5)
    pool = pool_of([question, answer, replace(SPOKEN, thread_id=there)])
    _, after_question, spoken = weigh(pool, PLAN).total
    assert 0 < after_question < spoken


def test_an_exact_string_counts_more_than_being_named_by_the_best_result() -> None:
    pool = pool_of(
        [replace(EXACT, thread_id=UUID(int=1)), replace(PoolEntry(), thread_id=UUID(int=2))]
    )
    exact, named = add_named_evidence(weigh(pool, PLAN), np.array([0.0, 1.0])).total
    assert named > 0
    assert exact > named


# The weight of words


@pytest.mark.parametrize(
    ("covered", "text"),
    # How many of the ten words of the query are in the best text, and the text score of that text.
    [(10, 1.0), (7, 1.0), (5, 0.825), (3, 0.688), (1, 0.651)],
)
def test_the_text_score_falls_with_the_number_of_covered_words(covered: int, text: float) -> None:
    tf = tuple(int(n < covered) for n in range(10))
    pool = pool_of([PoolEntry(0.3, tf), replace(PoolEntry(0.2, (0,) * 10), thread_id=UUID(int=7))])
    assert max(text_scores(weigh(pool, Plan("x", "x")))) == pytest.approx(text, abs=5e-3)


@pytest.mark.parametrize(
    ("quality", "share"),
    # A good memory gains a twentieth of its score, a bad one loses three tenths.
    [(1, 1.05), (0, 1.0), (-1, 0.7)],
)
def test_the_quality_of_a_memory_counts(quality: int, share: float) -> None:
    def score(quality: int) -> float:
        pool = pool_of([PoolEntry(0.5, created_at=NOW - timedelta(days=3_650))])
        pool = replace(pool, features=[pool.features[0]._replace(quality=quality)])
        return fuse(pool, Evidence(np.zeros(1), {}, np.array([False])), "weighted", NOW)[0].score

    assert score(quality) == pytest.approx(share * score(0))


# Weak results


def is_weak(
    cosines: Sequence[float], covered: float = 0.0, *, exact: bool = False, by_name: bool = False
) -> list[bool]:
    """Which candidates with these cosines are weak; the first covers a share of the query."""
    entries = [PoolEntry(cosine, (0,) * 100) for cosine in cosines]
    tf = tuple(int(n < round(100 * covered)) for n in range(100))
    entries[0] = replace(entries[0], tf=tf, exact=int(exact))
    pool = pool_of(entries)
    return weak_flags(
        pool, Evidence(np.zeros(len(entries)), {}, np.ones(len(entries), bool), 1.0, by_name)
    )


@pytest.mark.parametrize(
    ("options", "near", "far"),
    [
        # A candidate may be further away if it has half of the words, has an exact string, or is by
        # a speaker whom the query names.
        ({}, 0.23, 0.22),
        ({"covered": 0.5}, 0.195, 0.185),
        ({"exact": True}, 0.172, 0.165),
        ({"by_name": True}, 0.184, 0.176),
    ],
)
def test_the_least_cosine_in_a_small_store(options: dict, near: float, far: float) -> None:
    assert is_weak([near], **options) == [False]
    assert is_weak([far], **options) == [True]


def test_a_text_with_most_words_of_the_query_is_not_weak_however_far() -> None:
    assert is_weak([0.05], covered=0.69)[0] is False
    assert is_weak([0.05], covered=0.66)[0] is True


def test_without_vectors_a_fifth_of_the_words_is_enough() -> None:
    assert is_weak([0.0], covered=0.21) == [False]
    assert is_weak([0.0], covered=0.19) == [True]


def test_every_candidate_needs_the_least_cosine() -> None:
    assert is_weak([0.3, 0.16, 0.14]) == [False, False, True]


def test_a_candidate_needs_a_third_of_the_highest_cosine() -> None:
    assert is_weak([0.9, 0.31, 0.29]) == [False, False, True]


def test_words_help_a_candidate_that_is_a_little_too_far() -> None:
    first = [0.3, 0.1]
    pool = pool_of([PoolEntry(cosine, (int(cosine < 0.2), *(0,) * 4)) for cosine in first])
    assert weak_flags(pool, Evidence(np.zeros(2), {}, np.ones(2, bool))) == [False, False]
    pool = pool_of([PoolEntry(cosine, (int(cosine < 0.2), *(0,) * 9)) for cosine in first])
    assert weak_flags(pool, Evidence(np.zeros(2), {}, np.ones(2, bool))) == [False, True]


def test_a_document_that_a_result_names_may_be_further_away() -> None:
    parts = {"named": np.array([0.0, 1.0, 1.0])}
    pool = pool_of([PoolEntry(0.3, (0,)), PoolEntry(0.06, (0,)), PoolEntry(0.04, (0,))])
    assert weak_flags(pool, Evidence(np.zeros(3), parts, np.ones(3, bool))) == [False, False, True]


def stands_out(nearest: float, count: int, others: float = 0.15) -> bool:
    """Whether the nearest of `count` texts is not weak, when all others have the same cosine."""
    return not is_weak([nearest, *[others] * (count - 1)])[0]


def test_among_similar_texts_the_nearest_has_to_stand_out() -> None:
    assert stands_out(0.24, 20), "too few to compare with"
    assert not stands_out(0.24, 22)
    assert stands_out(0.6, 22)


def test_the_background_begins_after_the_first_ten() -> None:
    assert not is_weak([0.16, *[0.15] * 9, *[0.0] * 21])[0], "ten near ones stand out together"
    assert is_weak([0.16, *[0.15] * 19, *[0.0] * 11])[0], "of twenty, ten are the background"


def test_the_background_ends_with_the_fiftieth() -> None:
    assert is_weak([0.3, *[0.2] * 49, *[0.0] * 50])[0]
    assert not is_weak([0.3, *[0.2] * 9, *[0.0] * 90])[0]


# Groups, newer results, the reader


def ranked(count: int, group: int | None = None) -> list[Ranked]:
    return [
        Ranked(UUID(int=n + 1), UUID(int=group or n + 1), 1.0 - n / 100, ScoreParts())
        for n in range(count)
    ]


def test_one_document_has_at_most_ten_chunks_and_six_of_two_results() -> None:
    assert len(best(ranked(40, group=5), 10)) == 10
    assert len(best(ranked(40, group=5), 2)) == 6


def test_ten_results_by_default() -> None:
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
        entries = [
            PoolEntry(
                0.9 - n / 10, (2,), "user", UUID(int=n + 1), said_at=NOW - timedelta(days=90 - n)
            )
            for n in range(threads)
        ]
        pool = pool_of(entries)
        order = fuse(pool, weigh(pool, Plan("x", "x")), "weighted", NOW)
        return prefer_newer(pool, order)[0].group_id

    assert first_after(3) == UUID(int=3)
    assert first_after(5) == UUID(int=3)


@pytest.mark.parametrize(("shared", "changes"), [(5, True), (4, False)])
def test_results_are_similar_from_half_of_their_words_on(shared: int, changes: bool) -> None:
    term_counts = [
        tuple(int(n < 4 + shared) for n in range(10)),
        tuple(int(n >= 4) for n in range(10)),
    ]
    entries = [
        PoolEntry(0.9 - at / 10, tf, "user", UUID(int=at + 1), said_at=NOW + timedelta(days=at))
        for at, tf in enumerate(term_counts)
    ]
    pool = pool_of(entries)
    order = fuse(pool, weigh(pool, Plan("x", "x")), "weighted", NOW)
    assert (prefer_newer(pool, order)[0].group_id == UUID(int=2)) is changes


def test_the_reader_counts_seven_tenths_and_six_in_a_conversation() -> None:
    order = [result._replace(score=1.0 - n / 2) for n, result in enumerate(ranked(3))]
    relevance = [0.0, 0.6, 1.0]
    assert by_relevance(order, relevance)[0] == 2
    assert by_relevance(order, [0.0, 0.75, 1.0])[0] == 2, "more than six tenths"
    assert by_relevance(order, [0.0, 0.85, 1.0])[0] == 1, "less than eight tenths"
    assert by_relevance(order, relevance, talks=True)[0] == 2, "more than half"
    assert by_relevance(order, [0.0, 0.7, 1.0], talks=True)[0] == 1, "no more than three fifths"


def test_sixteen_thousand_characters_of_a_conversation_are_read() -> None:
    assert max_texts([RankedText("x" * 500, "")] * 30) == 30
    assert max_texts([RankedText("x" * 800, "")] * 30) == 20
    assert max_texts([RankedText("x" * 640, "")] * 30) == 25


def test_the_first_twenty_texts_decide_whether_it_is_a_conversation() -> None:
    turns, notes = [RankedText("a", "b")] * 11, [RankedText("a")] * 9
    assert is_talk([*turns, *notes, *[RankedText("a")] * 20])


# A chunk and its memories


@pytest.mark.parametrize(
    ("cosine", "winner"),
    # The chunk has twice as many of the words: the memory has to be a quarter nearer.
    [(0.45, "chunk"), (0.55, "memory")],
)
def test_the_better_of_a_chunk_and_its_memory_is_kept(cosine: float, winner: str) -> None:
    chunk_id, memory_id = new_id(), new_id()
    pool = pool_of([PoolEntry(0.25, (1, 1)), PoolEntry(cosine, (1, 0))])
    chunk = pool.features[0]._replace(id=chunk_id, chunk_id=chunk_id)
    memory = Features(*chunk)._replace(id=memory_id, kind="memory", chunk_id=chunk_id)
    merged = merge_sources(replace(pool, features=[chunk, memory]))
    assert list(merged.best) == [memory_id if winner == "memory" else chunk_id]
