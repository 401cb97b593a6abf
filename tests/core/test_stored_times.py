"""Answers from the time that is stored with a memory, if the memory is about the question."""

from datetime import UTC, datetime
from uuid import uuid4

import pytest

from remem.core.answers.model import Answer, Source
from remem.core.answers.prompts import answer as prompt_for
from remem.core.answers.questions import what_is_asked
from remem.core.answers.stored_times import by_stored_time
from remem.core.answers.support import QuotedSentence, is_supported

ASKED_AT = datetime(2026, 11, 18, 16, tzinfo=UTC)
FIRST, SECOND = datetime(2026, 11, 3, tzinfo=UTC), datetime(2026, 11, 9, tzinfo=UTC)

HAPPENED = [
    ("When did I have a migraine?", "I had a migraine."),
    ("When did I last have a migraine?", "I had a migraine."),
    ("When was the last time I had a migraine?", "I had a migraine."),
    ("When was my last migraine?", "I had a migraine."),
    ("On which day did I have a migraine?", "I had a migraine."),
    ("When did I visit Grandma?", "Visited Grandma"),
    ("When were the gutters cleaned?", "The gutters were cleaned"),
    ("When did my brother have surgery?", "My brother had surgery."),
    ("When was the car inspection?", "Car inspection"),
    ("When did I buy the car?", "Finally bought the car!"),
]
NOT_HAPPENED = [
    ("When did Bob have a migraine?", "I had a migraine."),
    ("When did I have surgery?", "My brother had surgery."),
    ("When did I have a headache?", "I had a migraine."),
    ("When did I have a fever?", "I did not have a fever."),
    ("When was Mia's birthday?", "I bought a present for Mia's birthday."),
    ("When did Anna move to Oslo?", "Tom told me that Anna moved to Oslo."),
    ("When did I have a migraine?", "We had a migraine talk with Dr. Bell and Ines"),
    ("At what time did I visit Grandma?", "Visited Grandma"),
    ("What did I have?", "I had a migraine."),
]
DUE = [
    ("When is the tax return due?", "Submit the tax return."),
    ("By when must I submit the tax return?", "Submit the tax return."),
    ("What is the deadline for the tax return?", "Submit the tax return."),
    ("When do I have to hand in the thesis?", "Hand in the thesis."),
    ("When is the rent due?", "Don't forget to pay the rent."),
    ("When is Tom's report due?", "Tom must hand in his report."),
]
NOT_DUE = [
    ("When is my report due?", "Tom must hand in his report."),
    ("When is the essay due?", "Submit the tax return."),
    ("When did I submit the tax return?", "Submit the tax return."),
    ("When is the tax return?", "Submit the tax return."),
]


def answer_from(question: str, *sources: Source) -> Answer:
    unknown = Answer(question, what_is_asked(question).kind, None, 0.0)
    return by_stored_time(unknown, sources, ASKED_AT)


def memory(content: str, **times: datetime) -> Source:
    return Source(content, "memory", uuid4(), said_at=ASKED_AT, **times)


@pytest.mark.parametrize(("question", "content"), HAPPENED)
def test_when_it_happened(question: str, content: str) -> None:
    source = memory(content, occurred_at=FIRST)
    answer = answer_from(question, source)
    assert answer.text == "3 November 2026"
    assert [cited.source for cited in answer.citations] == [source]


@pytest.mark.parametrize(("question", "content"), NOT_HAPPENED)
def test_a_memory_about_something_else_does_not_answer(question: str, content: str) -> None:
    assert answer_from(question, memory(content, occurred_at=FIRST)).text is None


@pytest.mark.parametrize(("question", "content"), DUE)
def test_when_it_is_due(question: str, content: str) -> None:
    assert answer_from(question, memory(content, due_at=FIRST)).text == "3 November 2026"


@pytest.mark.parametrize(("question", "content"), NOT_DUE)
def test_a_due_time_does_not_answer_other_questions(question: str, content: str) -> None:
    assert answer_from(question, memory(content, due_at=FIRST)).text is None


@pytest.mark.parametrize("times", [{}, {"due_at": FIRST}])
def test_only_the_time_of_occurrence_says_when_it_was(times: dict[str, datetime]) -> None:
    source = memory("I had a migraine.", **times)
    assert answer_from("When did I have a migraine?", source).text is None


def test_a_time_in_the_content_takes_precedence() -> None:
    source = memory("I had a migraine in May 2024.", occurred_at=FIRST)
    assert answer_from("When did I have a migraine?", source).text is None


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("When did I go for a run?", "3 November 2026 and 9 November 2026"),
        ("When did I last go for a run?", "9 November 2026"),
        ("When did I first go for a run?", "3 November 2026"),
        ("How long ago did I go for a run?", "9 days ago"),
    ],
)
def test_several_times(question: str, text: str) -> None:
    runs = [memory("I went for a run.", occurred_at=moment) for moment in (SECOND, FIRST)]
    assert answer_from(question, *runs).text == text


def test_the_memory_that_matches_best_answers() -> None:
    review = memory("Ask Tom to review the report.", due_at=FIRST)
    report = memory("Hand in the report.", due_at=SECOND)
    assert answer_from("When is the report due?", review, report).text == "9 November 2026"


def test_a_language_model_may_state_the_stored_time() -> None:
    source = memory("I had a migraine.", occurred_at=FIRST)
    question = "When did I have a migraine?"
    assert 'happened="2026-11-03"' in prompt_for(question, ASKED_AT, (), [source])
    quoted = QuotedSentence(source.content, None, ASKED_AT, (FIRST,))
    assert is_supported("You had a migraine on 3 November 2026.", question, [quoted])
    assert not is_supported("You had a migraine on 4 November 2026.", question, [quoted])
