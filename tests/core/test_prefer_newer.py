"""Of two similar results the later one is ranked first, unless the query is about the past."""

from datetime import timedelta
from uuid import UUID

import pytest

from remem.core.search.evidence import Pool, weigh
from remem.core.search.fuse import fuse
from remem.core.search.model import Ranked
from remem.core.search.plan import Plan
from remem.core.search.prefer_newer import prefer_newer
from tests.core.pools import NOW, PoolEntry, pool_of

MAY, JUNE = NOW - timedelta(days=60), NOW - timedelta(days=30)
FIRST, SECOND, THIRD = (UUID(int=n) for n in (1, 2, 3))


def ranked(pool: Pool) -> list[Ranked]:
    return fuse(pool, weigh(pool, Plan("bikes", "bikes")), "weighted", NOW)


def threads(pool: Pool, order: list[Ranked]) -> list[UUID]:
    thread_ids = {features.id: features.thread_id for features in pool.features}
    return [thread_ids[result.id] for result in order]


def two_similar(**later: object) -> Pool:
    defaults: dict[str, object] = {
        "cosine": 0.7,
        "tf": (1, 1),
        "thread_id": SECOND,
        "said_at": JUNE,
    }
    return pool_of(
        [
            PoolEntry(cosine=0.8, tf=(2, 1), thread_id=FIRST, said_at=MAY, created_at=MAY),
            PoolEntry(**{"created_at": MAY, **defaults, **later}),  # type: ignore[arg-type]
            PoolEntry(cosine=0.1, tf=(0, 0), thread_id=THIRD, said_at=NOW, created_at=MAY),
        ]
    )


def test_the_later_of_two_similar_results_is_first_and_records_why() -> None:
    pool = two_similar()
    before = ranked(pool)
    after = prefer_newer(pool, before)
    assert threads(pool, before) == [FIRST, SECOND, THIRD]
    assert threads(pool, after) == [SECOND, FIRST, THIRD]
    assert [result.score for result in after] == [result.score for result in before]
    gain = before[0].score - before[1].score
    assert [result.parts.evidence.get("prefer_newer") for result in after] == [
        pytest.approx(gain),
        pytest.approx(-gain),
        None,
    ]


@pytest.mark.parametrize(
    "later",
    [
        {"tf": (0, 0)},
        {"said_at": MAY - timedelta(days=1)},
        {"speaker": "ann"},
        {"thread_id": FIRST, "place": 9},
    ],
    ids=["says something else", "is earlier", "is of another voice", "is of the same talk"],
)
def test_other_results_keep_their_order(later: dict[str, object]) -> None:
    pool = two_similar(**later)
    before = ranked(pool)
    assert prefer_newer(pool, before) == before


def test_the_same_speaker_is_found_after_another_in_the_later_conversation() -> None:
    pool = pool_of(
        [
            PoolEntry(
                cosine=0.8, tf=(2, 1), thread_id=FIRST, said_at=MAY, created_at=MAY, speaker="user"
            ),
            PoolEntry(
                cosine=0.7,
                tf=(1, 1),
                thread_id=SECOND,
                said_at=JUNE,
                created_at=MAY,
                speaker="assistant",
            ),
            PoolEntry(
                cosine=0.5,
                tf=(1, 1),
                thread_id=SECOND,
                said_at=JUNE,
                created_at=MAY,
                speaker="user",
                place=9,
            ),
        ]
    )
    before = ranked(pool)
    assert threads(pool, before) == [FIRST, SECOND, SECOND]
    after = prefer_newer(pool, before)
    assert threads(pool, after)[0] == SECOND
    assert after[0].id == before[2].id


def earlier_and_later(earlier: tuple[int, ...], later: tuple[int, ...], speaker: str) -> Pool:
    first = PoolEntry(0.8, earlier, speaker, FIRST, said_at=MAY, created_at=MAY)
    return pool_of([first, PoolEntry(0.7, later, speaker, SECOND, said_at=JUNE, created_at=MAY)])


@pytest.mark.parametrize(
    ("speaker", "later", "first"),
    [
        # The password of the office does not replace that of the cabin.
        ("", (1, 1, 1, 1, 0), FIRST),
        ("", (1, 1, 1, 1, 1), SECOND),
        ("user", (1, 1, 1, 0, 0), SECOND),
        ("user", (1, 1, 0, 0, 0), FIRST),
        # What people tell each other is mostly about another event.
        ("ann", (1, 1, 1, 1, 1), FIRST),
        ("assistant", (1, 1, 1, 1, 1), FIRST),
    ],
)
def test_the_later_result_must_have_the_topic_of_the_earlier_one(
    speaker: str, later: tuple[int, ...], first: UUID
) -> None:
    pool = earlier_and_later((1, 1, 1, 1, 1), later, speaker)
    before = ranked(pool)
    assert threads(pool, before) == [FIRST, SECOND]
    assert threads(pool, prefer_newer(pool, before))[0] == first


def test_a_result_with_the_exact_words_stays_first() -> None:
    first = PoolEntry(0.7, (1, 1), "", FIRST, said_at=MAY, created_at=MAY, exact=1)
    later = PoolEntry(0.7, (2, 2), "", SECOND, said_at=JUNE, created_at=JUNE)
    pool = pool_of([first, later])
    before = ranked(pool)
    assert threads(pool, before) == [FIRST, SECOND]
    assert prefer_newer(pool, before) == before


@pytest.mark.parametrize(
    ("shared_words", "cosine", "first"),
    [(1, 0.7, FIRST), (1, 0.75, SECOND), (2, 0.7, SECOND)],
    ids=["one word and less near", "one word and as near", "enough words and less near"],
)
def test_of_notes_that_share_one_word_the_later_must_be_as_near(
    shared_words: int, cosine: float, first: UUID
) -> None:
    """The wage at the library is not in the note that the library is closed on Monday."""
    words = (1,) * shared_words + (0,) * (5 - shared_words)
    older = PoolEntry(0.8, words, "", FIRST, said_at=MAY, created_at=MAY)
    newer = PoolEntry(cosine, words, "", SECOND, said_at=JUNE, created_at=MAY)
    pool = pool_of([older, newer])
    before = ranked(pool)
    assert threads(pool, before) == [FIRST, SECOND]
    assert threads(pool, prefer_newer(pool, before))[0] == first


@pytest.mark.parametrize(
    ("read", "first"),
    [((4.0, -1.0), FIRST), ((4.0, 3.0), SECOND), ((3.0, 4.0), SECOND), ((4.0, None), SECOND)],
)
def test_what_the_reader_clearly_prefers_stays_first(
    read: tuple[float, float | None], first: UUID
) -> None:
    pool = two_similar()
    before = [
        result._replace(parts=result.parts._replace(relevance=relevance))
        for result, relevance in zip(ranked(pool), (*read, None), strict=True)
    ]
    assert threads(pool, before) == [FIRST, SECOND, THIRD]
    assert threads(pool, prefer_newer(pool, before))[0] == first


def test_no_results() -> None:
    assert prefer_newer(pool_of([]), []) == []
