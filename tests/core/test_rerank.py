"""The first results, reordered by a model that reads them."""

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


def ranked_results(count: int) -> list[Ranked]:
    return [
        Ranked(UUID(int=n), UUID(int=n), 1.0 - n / 100, ScoreParts(vector=0.5))
        for n in range(count)
    ]


def reranked(ranked: list[Ranked], relevance: list[float]) -> list[Ranked]:
    return reorder(ranked, relevance, by_relevance(ranked, relevance))


def ids(ranked: list[Ranked]) -> list[int]:
    return [result.id.int for result in ranked]


def test_the_same_order_changes_nothing() -> None:
    assert ids(reranked(ranked_results(5), [5, 4, 3, 2, 1])) == [0, 1, 2, 3, 4]


def test_the_most_relevant_result_rises_and_takes_the_score_of_its_new_rank() -> None:
    before = ranked_results(30)
    relevance = [0.0] * 30
    relevance[4] = 99.0
    after = reranked(before, relevance)
    assert after[0].id.int == 4
    assert [result.score for result in after] == [result.score for result in before]
    assert after[0].parts.relevance == 99.0
    assert after[0].parts.reader == pytest.approx(before[0].score - before[4].score)
    assert after[0].parts.vector == 0.5
    assert sum(result.parts.reader for result in after) == pytest.approx(0)


def test_the_original_order_still_counts() -> None:
    relevance = [5.0, 6.0, *[0.0] * 28]
    assert set(ids(reranked(ranked_results(30), relevance))[:2]) == {0, 1}
    assert 0 < POLICY.reader_weight < 1


def test_more_texts_are_read_of_a_conversation_with_short_turns() -> None:
    turn, note = RankedText("I went to Lisbon.", "Where did you go?"), RankedText("Went to Lisbon.")
    assert turn.reader_input == "Where did you go? / I went to Lisbon."
    assert is_talk([turn, turn, note])
    assert not is_talk([turn, note])
    assert not is_talk([])
    assert max_texts([turn] * POLICY.talk_first) == POLICY.talk_first
    long = RankedText("x" * POLICY.talk_chars, "y")
    assert max_texts([long] * POLICY.talk_first) == POLICY.reader_first


def test_the_part_of_a_long_text_with_the_words_is_read() -> None:
    filler = "Nothing to see in this sentence, which goes on. " * 40
    text = f"{filler}The spare key of the bicycle is under the blue pot. {filler}"
    best_passage = passage(text, "Where is the key of the bicycle?")
    assert "under the blue pot" in best_passage
    assert len(best_passage) <= POLICY.reader_chars


@pytest.mark.parametrize("text", ["", "short", "x" * 5_000, "no such words " * 100])
def test_any_text_has_a_passage(text: str) -> None:
    best_passage = passage(text, "bicycle")
    assert text.startswith(best_passage)
    assert bool(best_passage) == bool(text)
    assert query_terms("bicycle")


def test_the_margin_follows_the_highest_relevance() -> None:
    assert reader_margin([-1.0]) == pytest.approx(0)
    assert reader_margin([-9.0, 2.0, -5.0]) == pytest.approx(0.3)
    assert reader_margin([-11.0]) == pytest.approx(-1.0)
