"""The first of what was found, in the order of who reads them too."""

from uuid import UUID

import pytest

from remem.core.language.tokens import query_terms
from remem.core.search.model import Ranked, ScoreParts
from remem.core.search.passage import passage
from remem.core.search.policy import POLICY
from remem.core.search.rerank import (
    RankedText,
    by_relevance,
    is_talk,
    max_texts,
    reader_margin,
    reorder,
)


def found(count: int) -> list[Ranked]:
    return [
        Ranked(UUID(int=n), UUID(int=n), 1.0 - n / 100, ScoreParts(vector=0.5))
        for n in range(count)
    ]


def in_order(ranked: list[Ranked], relevance: list[float]) -> list[Ranked]:
    return reorder(ranked, relevance, by_relevance(ranked, relevance))


def ids(ranked: list[Ranked]) -> list[int]:
    return [one.id.int for one in ranked]


def test_where_both_agree_nothing_changes() -> None:
    assert ids(in_order(found(5), [5, 4, 3, 2, 1])) == [0, 1, 2, 3, 4]


def test_what_is_read_as_most_relevant_rises_and_takes_the_score_of_its_place() -> None:
    before = found(30)
    relevance = [0.0] * 30
    relevance[4] = 99.0
    after = in_order(before, relevance)
    assert after[0].id.int == 4
    assert [one.score for one in after] == [one.score for one in before]
    assert after[0].parts.relevance == 99.0
    assert after[0].parts.reader == pytest.approx(before[0].score - before[4].score)
    assert after[0].parts.vector == 0.5
    assert sum(one.parts.reader for one in after) == pytest.approx(0)


def test_the_order_it_was_found_in_still_counts() -> None:
    relevance = [5.0, 6.0, *[0.0] * 28]
    assert set(ids(in_order(found(30), relevance))[:2]) == {0, 1}
    assert 0 < POLICY.reader_weight < 1


def test_of_a_talk_more_is_read_as_far_as_its_turns_are_short() -> None:
    turn, note = RankedText("I went to Lisbon.", "Where did you go?"), RankedText("Went to Lisbon.")
    assert turn.reader_input == "Where did you go? / I went to Lisbon."
    assert is_talk([turn, turn, note])
    assert not is_talk([turn, note])
    assert not is_talk([])
    assert max_texts([turn] * POLICY.talk_first) == POLICY.talk_first
    long = RankedText("x" * POLICY.talk_chars, "y")
    assert max_texts([long] * POLICY.talk_first) == POLICY.reader_first


def test_of_a_long_text_the_part_with_the_words_is_read() -> None:
    filler = "Nothing to see in this sentence, which goes on. " * 40
    text = f"{filler}The spare key of the bicycle is under the blue pot. {filler}"
    part = passage(text, "Where is the key of the bicycle?")
    assert "under the blue pot" in part
    assert len(part) <= POLICY.reader_chars


@pytest.mark.parametrize("text", ["", "short", "x" * 5_000, "no such words " * 100])
def test_any_text_has_a_part(text: str) -> None:
    part = passage(text, "bicycle")
    assert text.startswith(part)
    assert bool(part) == bool(text)
    assert query_terms("bicycle")


def test_relevance_speaks_for_and_against_that_anything_answers() -> None:
    assert reader_margin([-1.0]) == pytest.approx(0)
    assert reader_margin([-9.0, 2.0, -5.0]) == pytest.approx(0.3)
    assert reader_margin([-11.0]) == pytest.approx(-1.0)
