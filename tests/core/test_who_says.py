"""Answers to "who" questions: the speaker who says it about themselves."""

from uuid import uuid4

import pytest

from remem.core.answers.model import Answer, Source
from remem.core.answers.who_says import by_speaker

TALK = [
    "Viktor: Hello! I went to Vienna at Easter, the trains were full.",
    "Rosalind: I bought a boat last summer.",
    "Ben: My tortoise escaped again.",
    "Ana: I am allergic to peanuts.",
    "Cleo: I never went to Vienna.",
    "Dora: I want to buy a boat.",
    "Ben: Did I buy a boat?",
    "user: I met Tom.",
    "Assistant: I met Tom.",
    "Ana: I met Ida.",
    "Ben: I met Ida, too.",
]
SOURCES = [Source(turn, "chunk", uuid4(), speaker=turn.partition(":")[0]) for turn in TALK]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Who went to Vienna?", "Viktor"),
        ("And who bought a boat?", "Rosalind"),
        ("Whose tortoise escaped?", "Ben"),
        ("Who is allergic to peanuts?", "Ana"),
        ("Who met Ida?", "Ana and Ben"),
        ("Who met Tom?", None),
        ("Who lives in Oslo?", None),
        ("Who?", None),
        ("What did Viktor do in Vienna?", None),
    ],
)
def test_the_speaker_who_says_it_of_themselves(question: str, expected: str | None) -> None:
    assert by_speaker(Answer(question, "one", None, 0.1), SOURCES).text == expected


def test_only_a_pronoun_is_replaced_by_the_speaker() -> None:
    question = "Who went to Vienna?"
    assert by_speaker(Answer(question, "one", "Tom", 0.9), SOURCES).text == "Tom"
    answer = by_speaker(Answer(question, "one", "I", 0.9), SOURCES)
    assert (answer.text, answer.citations[0].text) == (
        "Viktor",
        "I went to Vienna at Easter, the trains were full.",
    )
