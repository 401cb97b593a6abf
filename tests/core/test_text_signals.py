"""Features of a text: how much of it is questions, and whether it mentions a time."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remem.core.language.questions import question_share
from remem.core.language.sentences import sentences
from remem.core.language.times.mentions import mentions_time
from remem.core.language.words import statements


@pytest.mark.parametrize(
    ("text", "share"),
    [
        ("Where is it?", 1.0),
        ("I have it. Do you?", 0.5),
        ("Really?! Yes. No. Who?", 0.25),
        ("It is here.", 0.0),
        ("no mark at all", 0.0),
        ("どこですか？ ここです。", 0.5),
        ("你在哪？", 1.0),
        ("", 0.0),
        ("???", 0.0),
        ("  \n ", 0.0),
    ],
)
def test_the_share_of_questions_in_a_text(text: str, share: float) -> None:
    assert question_share(text) == share


@given(st.text())
def test_the_share_is_between_zero_and_one(text: str) -> None:
    assert 0 <= question_share(text) <= 1


@pytest.mark.parametrize(
    "text",
    [
        "I went there yesterday.",
        "See you tomorrow",
        "We met last week",
        "this past weekend",
        "next Monday",
        "on friday",
        "3 days ago",
        "a few months ago",
        "a couple of years ago",
        "in July",
        "since May",
        "May 7",
        "on march 3",
        "back in 2019",
        "2023-05-08",
        "for two weeks",
        "last summer",
        "Today I rest",
    ],
)
def test_a_text_that_mentions_a_time(text: str) -> None:
    assert mentions_time(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "I like tea.",
        "You may go.",
        "They march on.",
        "The last straw",
        "holiday",
        "this one",
        "version 2.0",
        "Mayonnaise",
        "a 20193 digit",
    ],
)
def test_a_text_that_mentions_no_time(text: str) -> None:
    assert not mentions_time(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("She works at Acme Inc. The office is new.", 2),
        ("It is in room No. 5 upstairs. Come in.", 2),
        ("He said no. Then he left.", 2),
        ("We met Dr. Lind on Tue. 5 May. It rained.", 2),
        ("The server is in rack 4. Its name is Ada.", 2),
        ("東京です。大阪です。", 2),
    ],
)
def test_sentences_and_statements_are_split_in_the_same_way(text: str, expected: int) -> None:
    assert len(sentences(text)) == expected == len(statements(text))
