"""Who asks how it is now is not answered by what was given up for it."""

from uuid import UUID

import pytest

from remem.core.answers.abandoned import is_abandoned, without_abandoned
from remem.core.answers.model import Place, Reading, Source
from remem.core.answers.scoring import ScoredPlace


def scored(said: str, value: str) -> ScoredPlace:
    start = said.index(value)
    reading = Reading(Source(said, "memory", UUID(int=1)), 0, 0.0, [])
    return ScoredPlace(reading, Place(start, start + len(value), 0.9, 1.0), 0.0)


NOW = "What is it now?"
GIVEN_UP = [
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
KEPT = [
    ("Yasmin has taken over the booking system from Karim.", "Yasmin"),
    ("I moved all my tasks from Todoist to Obsidian.", "Obsidian"),
    ("Jonah gave up the cello for the drums.", "drums"),
    ("Nora dropped the keys at home.", "keys"),
    ("My brother left his keys in Bonn.", "Bonn"),
    ("Tea from Assam is what we drink.", "Assam"),
    ("Marek is off on Fridays.", "Marek"),
    ("Slovenia is where we'll spend the summer.", "Slovenia"),
]


@pytest.mark.parametrize(("said", "value"), GIVEN_UP)
def test_what_was_given_up(said: str, value: str) -> None:
    assert is_abandoned(NOW, scored(said, value))


@pytest.mark.parametrize(("said", "value"), KEPT)
def test_what_is_so(said: str, value: str) -> None:
    assert not is_abandoned(NOW, scored(said, value))


@pytest.mark.parametrize(
    "question", ["What did Jonah give up?", "What did he play before?", "Which one was replaced?"]
)
def test_who_asks_for_it_gets_it(question: str) -> None:
    assert not is_abandoned(question, scored("Jonah gave up the cello for the drums.", "cello"))


def test_it_stays_where_its_sentence_has_nothing_else() -> None:
    said = "Jonah gave up the cello for the drums."
    old, new = scored(said, "cello"), scored(said, "drums")
    assert without_abandoned(NOW, [old, new]) == [new]
    assert without_abandoned(NOW, [old]) == [old]
