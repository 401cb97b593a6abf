"""A sentence that a rule would take is never passed over by the quick look before the rules."""

import pytest

from remem.core.memories.rules import worth

TOLD = [
    ("I moved to Oslo.", "episode"),
    ("We're going with PostgreSQL.", "decision"),
    ("We will use Redis for the cache.", "decision"),
    ("My favourite tea is oolong.", "preference"),
    ("my dog is called Rex", "fact"),
    ("I’m allergic to peanuts.", "fact"),
    ("The report is due on Friday.", "task"),
    ("Deadline for the talk: 4 May.", "task"),
    ("TODO: renew the passport.", "task"),
    ("to do: renew the passport.", "task"),
    ("Action item: call the bank.", "task"),
    ("Remind me to water the plants.", "task"),
    ("Decision: ship on Monday.", "decision"),
    ("Lessons learned: test the restore.", "lesson"),
    ("Lesson: test the restore.", "lesson"),
]
NOTED = [
    "Grafana runs on the old server.",
    "The staging database expires in May.",
    "Our retro takes place on Fridays.",
    "Berlin was rainy.",
]


@pytest.mark.parametrize(("sentence", "category"), TOLD)
def test_told_of_oneself_or_a_duty(sentence: str, category: str) -> None:
    found = worth.weigh(sentence, dated=False)
    assert found is not None
    assert found.category == category


@pytest.mark.parametrize("sentence", NOTED)
def test_noted_of_a_thing_by_its_name(sentence: str) -> None:
    found = worth.weigh(sentence, dated=False, noted=True)
    assert found is not None
    assert found.category == "fact"
    assert worth.weigh(sentence, dated=False) is None


@pytest.mark.parametrize("sentence", ["Copper coral desert dialect.", "", "Rain fell all day."])
def test_nothing_worth_keeping(sentence: str) -> None:
    assert worth.weigh(sentence, dated=True, noted=True) is None
