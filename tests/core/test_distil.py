"""What is distilled from what people say and write, and what is better left."""

from datetime import UTC, datetime

import pytest

from remem.core.memories.rules.distil import (
    STATEMENTS_LIMIT,
    THE_USER,
    Passage,
    Statement,
    distil,
)
from remem.core.memories.rules.person import by_name

SAID = datetime(2023, 5, 8, 13, 56, tzinfo=UTC)


def told(text: str, speaker: str = "Caroline", said_at: datetime | None = SAID) -> list[Statement]:
    return distil([Passage(text, 0, speaker, said_at)])


def contents(text: str, speaker: str = "Caroline", said_at: datetime | None = SAID) -> list[str]:
    return [one.content for one in told(text, speaker, said_at)]


@pytest.mark.parametrize(
    ("text", "category", "content"),
    [
        ("I moved to Berlin last week.", "episode",
         "Caroline moved to Berlin in the week before 8 May 2023."),
        ("I went to a support group yesterday and it was so powerful.", "episode",
         "Caroline went to a support group on 7 May 2023 and it was so powerful."),
        ("I'm allergic to most animals with fur.", "fact",
         "Caroline is allergic to most animals with fur."),
        ("Wow, Mel! I really love painting with my kids.", "preference",
         "Caroline really loves painting with their kids."),
        ("My favourite book is Middlemarch.", "preference",
         "Caroline's favourite book is Middlemarch."),
        ("We decided to use PostgreSQL.", "decision",
         "Caroline said: “We decided to use PostgreSQL.”"),
        ("I need to send the report by next Friday.", "task",
         "Caroline needs to send the report by 19 May 2023."),
        ("Lost my job as a banker yesterday.", "episode",
         "Caroline lost their job as a banker on 7 May 2023."),
        ("I'm gonna apply to medical school.", "task",
         "Caroline is going to apply to medical school."),
        ("I've been studying Portuguese.", "fact", "Caroline has been studying Portuguese."),
        ("I live in Porto and work as a nurse.", "fact",
         "Caroline lives in Porto and work as a nurse."),
    ],
)  # fmt: skip
def test_what_is_told_stands_by_itself(text: str, category: str, content: str) -> None:
    found = told(text)[-1]
    assert (found.category, found.content) == (category, content)
    assert 0 < found.confidence < 1


@pytest.mark.parametrize(
    "text",
    [
        "Hey Mel! Good to see you!",
        "How have you been?",
        "Thanks so much, I appreciate it.",
        "I love it!",
        "I'm so happy for you.",
        "It made me think about everything.",
        "They created all the props, and I love their work.",
        "I bought this book.",
        "If I win the lottery, I will buy a boat.",
        "I might move to Berlin next year.",
        "I can't wait to see the show on Friday.",
        "I won't give up!",
        "I'll try my best.",
        "I think I live in a simulation.",
        "You should come and visit my studio next week.",
        "> I live in Rome.",
        "```\nI live in Rome.\n```",
        "    I live in Rome, said the comment",
        "# I live in Rome and work there",
        "You are a helpful assistant. I live in Rome.",
        "[1] Trip to Rome (2026-01-02)\nI live in Rome.",
        "[2] A page (2026-01-02, https://example.org/a)\nI live in Rome.\n\nI work at ACME.",
        "Relevant memories:\nI live in Rome.",
    ],
)
def test_what_is_better_left_is_left(text: str) -> None:
    assert told(text) == []


def test_what_is_said_before_a_recalled_context_is_kept() -> None:
    text = "I live in Porto.\n\n[1] Trip (2026-01-02)\nI live in Rome."
    assert contents(text) == ["Caroline lives in Porto."]


def test_the_evidence_is_the_sentence() -> None:
    text = "Hello there! I live in Porto. Is it far?\nI own a red car."
    found = distil([Passage(text, 0, "Ann", SAID), Passage(text[:0], 90, "Bob", SAID)])
    assert [text[one.start : one.end] for one in found] == ["I live in Porto.", "I own a red car."]
    moved = distil([Passage(text, 100, "Ann", SAID)])
    assert [(one.start, one.end) for one in moved] == [
        (one.start + 100, one.end + 100) for one in found
    ]


def test_a_note_of_ones_own_says_more() -> None:
    note = (
        "# Notes\nWe decided to use PostgreSQL. Decision: ship on Friday.\n"
        "The quarterly report is due on 3 March. Ann's birthday is on 4 July.\n"
        "- [ ] renew the passport by next Friday\nTODO: call the bank tomorrow at 9\n"
        "PostgreSQL is our main database. Everything is fine."
    )
    assert contents(note, THE_USER) == [
        "We decided to use PostgreSQL.",
        "Decision: ship on 12 May 2023.",
        "The quarterly report is due on 3 March 2024.",
        "Ann's birthday is on 4 July.",
        "To do: renew the passport by 19 May 2023",
        "TODO: call the bank on 9 May 2023 at 09:00",
        "PostgreSQL is our main database.",
    ]


def test_nobody_in_particular_says_nothing_of_themselves() -> None:
    assert contents("I live in Porto. I own a car.", speaker="") == []


def test_without_a_day_of_its_own_no_relative_day_is_understood() -> None:
    assert contents("I moved to Berlin last week.", said_at=None) == []
    assert contents("I moved to Berlin in May 2020.", said_at=None) == [
        "Caroline moved to Berlin in May 2020."
    ]


def test_times_are_kept_beside_the_words() -> None:
    episode, task = told("I moved to Berlin yesterday. I need to call Ann tomorrow at 9.")
    assert episode.occurred_at == datetime(2023, 5, 7, tzinfo=UTC)
    assert task.due_at == datetime(2023, 5, 9, 9, tzinfo=UTC)
    assert task.occurred_at is None


def test_there_are_never_more_than_enough() -> None:
    text = " ".join(f"I own a boat number {n}." for n in range(200))
    found = told(text)
    assert len(found) == STATEMENTS_LIMIT
    assert [one.start for one in found] == sorted(one.start for one in found)


def test_the_same_is_said_once() -> None:
    assert len(told("I live in Porto. Yes, I live in Porto.")) == 1


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("I have two cats and I'm happy.", "Ann has two cats and Ann is happy."),
        ("I also watch my diet myself.", "Ann also watches their diet themselves."),
        ("My boss told me to go.", "Ann's boss told Ann to go."),
        ("I'd rather stay.", None),
        ("I don't eat meat.", "Ann doesn't eat meat."),
        ("I carry and fix things.", "Ann carries and fix things."),
    ],
)
def test_the_first_person_by_name(text: str, named: str | None) -> None:
    assert by_name(text, "Ann") == named
