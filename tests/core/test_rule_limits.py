"""The limits and thresholds of the rules about statements."""

from datetime import UTC, datetime

import pytest

from remem.core.judgements import Passage
from remem.core.language.claims.parse import parse
from remem.core.memories.rules.distil import _last_words, distil
from remem.core.memories.rules.expiry import valid_until_of
from remem.core.memories.rules.insight import find_chains
from remem.core.memories.rules.relate import _verdict_by_topic
from remem.core.memories.rules.sameness.compare import Compared, compare

SAID_AT = datetime(2026, 1, 1, tzinfo=UTC)
MOVED = "I moved to Porto last year."


def contents(text: str, speaker: str = "Ann") -> list[str]:
    return [
        statement.content for statement in distil([Passage(text, 0, speaker, SAID_AT, spoken=True)])
    ]


def test_sixty_thousand_characters_of_a_conversation_are_distilled() -> None:
    filler = "Hm. " * 14_000
    assert contents(f"{filler}{MOVED}") == [MOVED]
    assert contents(f"{'Hm. ' * 16_000}{MOVED}") == []


def test_a_sentence_of_more_than_four_hundred_characters_is_no_memory() -> None:
    def moved_with(people: int) -> str:
        return f"I moved to Porto with {', '.join(['Bartholomew Featherstonehaugh'] * people)}."

    assert len(moved_with(12)) < 400 < len(moved_with(13))
    assert contents(moved_with(12)) == [moved_with(12)]
    assert contents(moved_with(13)) == []


def test_the_confidence_of_a_checkbox() -> None:
    (task,) = distil([Passage("- [ ] Book the ferry", 0, "Ann", SAID_AT)])
    assert task.category == "task"
    assert 0.75 < task.confidence < 0.85


@pytest.mark.parametrize(
    ("content", "until"),
    [
        ("The pass is valid until 5 March 2026.", "2026-03-06"),
        ("The pass is valid until Monday 5 March 2029.", "2029-03-06"),
        ("The pass is valid until presumably 5 March 2026.", None),
    ],
)
def test_a_date_directly_after_until_is_the_last_day(content: str, until: str | None) -> None:
    valid_until = valid_until_of(content, SAID_AT)
    assert (valid_until.date().isoformat() if valid_until else None) == until


def test_insights_need_short_statements() -> None:
    rest = ["Nordlys is in Tromsø.", "Tromsø is in Norway."]
    assert find_chains(["Maya works at Nordlys.", *rest])
    long = f"Maya works at Nordlys {'and at the harbour ' * 10}."
    assert len(long) > 200
    assert not find_chains([long, *rest])


def test_the_last_240_characters_of_the_previous_turn_count() -> None:
    assert _last_words("x" * 300) == "x" * 240


@pytest.mark.parametrize(
    ("old", "sameness"),
    [
        ("x" * 1_500, "same"),
        ("x" * 1_501, "different"),
        ("boat " * 120, "same"),
        ("boat " * 121, "different"),
    ],
)
def test_texts_that_are_too_long_are_not_the_same(old: str, sameness: str) -> None:
    assert compare(Compared(old), Compared(old)) == sameness


@pytest.mark.parametrize(
    ("more", "sameness"),
    [("calm warm soft mild", "read"), ("calm warm soft mild fair", "different")],
)
def test_the_same_statement_may_have_four_more_words(more: str, sameness: str) -> None:
    assert compare(Compared(f"Tara keeps a boat {more}"), Compared("Tara keeps a boat")) == sameness


@pytest.mark.parametrize(
    ("thing", "sameness"), [("garden tool shed", "same"), ("wooden garden tool shed", "different")]
)
def test_a_possession_has_at_most_three_words(thing: str, sameness: str) -> None:
    first, second = f"The {thing} of Hugo is in Graz.", f"Hugo's {thing} is in Graz."
    assert compare(Compared(first), Compared(second)) == sameness


@pytest.mark.parametrize(
    ("known", "is_similar"),
    [("Blue boats beside Bergen quay", True), ("Blue ships beside Bergen quay", False)],
)
def test_statements_that_share_three_tenths_of_their_words_are_similar(
    known: str, is_similar: bool
) -> None:
    assert bool(_verdict_by_topic(parse("Blue boats in fog"), parse(known))) is is_similar
