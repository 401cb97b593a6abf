"""A question about the present is not answered by something that was abandoned."""

from uuid import UUID

import pytest

from remem.core.answers.abandoned import is_abandoned, without_abandoned
from remem.core.answers.model import Place, Reading, Source
from remem.core.answers.scoring import ScoredPlace


def scored(sentence: str, value: str) -> ScoredPlace:
    start = sentence.index(value)
    reading = Reading(Source(sentence, "memory", UUID(int=1)), 0, 0.0, [])
    return ScoredPlace(reading, Place(start, start + len(value), 0.9, 1.0), 0.0)


NOW = "What is it now?"
ABANDONED = [
    ("Yasmin has taken over the booking system from Karim.", "Karim"),
    ("I moved all my tasks from Todoist to Obsidian.", "Todoist"),
    ("We switched from the Sparkasse to ING in March.", "Sparkasse"),
    ("Jonah gave up the cello for the drums.", "cello"),
    ("Nora dropped handball for judo.", "handball"),
    ("My brother left Siemens for Bosch.", "Siemens"),
    ("My brother left Siemens for Bosch.", "Siemens for Bosch"),
    ("Lena replaced her iPhone with a Pixel 9.", "iPhone"),
    ("We sold the Golf and bought a Skoda.", "Golf"),
    ("Pia drinks tea instead of coffee.", "coffee"),
    ("Slovenia fell through, we'll spend the summer in Denmark.", "Slovenia"),
    ("The roof ate the money, so Iceland is off.", "Iceland"),
    ("The picnic was cancelled, we meet at the cinema.", "picnic"),
]
CURRENT = [
    ("Yasmin has taken over the booking system from Karim.", "Yasmin"),
    ("I moved all my tasks from Todoist to Obsidian.", "Obsidian"),
    ("Jonah gave up the cello for the drums.", "drums"),
    ("Nora dropped the keys at home.", "keys"),
    ("My brother left his keys in Bonn.", "Bonn"),
    ("Tea from Assam is what we drink.", "Assam"),
    ("Marek is off on Fridays.", "Marek"),
    ("Slovenia is where we'll spend the summer.", "Slovenia"),
]


@pytest.mark.parametrize(("sentence", "value"), ABANDONED)
def test_an_abandoned_value(sentence: str, value: str) -> None:
    assert is_abandoned(NOW, scored(sentence, value))


@pytest.mark.parametrize(("sentence", "value"), CURRENT)
def test_a_current_value(sentence: str, value: str) -> None:
    assert not is_abandoned(NOW, scored(sentence, value))


@pytest.mark.parametrize(
    "question", ["What did Jonah give up?", "What did he play before?", "Which one was replaced?"]
)
def test_a_question_about_the_past_may_be_answered_by_it(question: str) -> None:
    assert not is_abandoned(question, scored("Jonah gave up the cello for the drums.", "cello"))


def test_it_is_kept_if_its_sentence_has_no_other_value() -> None:
    sentence = "Jonah gave up the cello for the drums."
    old, new = scored(sentence, "cello"), scored(sentence, "drums")
    assert without_abandoned(NOW, [old, new]) == [new]
    assert without_abandoned(NOW, [old]) == [old]
