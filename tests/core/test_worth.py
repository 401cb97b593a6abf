"""Which sentences are worth keeping, and their categories."""

import pytest

from remem.core.memories.rules.classify import category_of
from remem.core.memories.rules.weights import WEIGHTS
from remem.core.memories.rules.worth import score_sentence

CATEGORIES = [
    ("We're going with PostgreSQL.", "decision"),
    ("We will use Redis for the cache.", "decision"),
    ("We decided to use Postgres", "decision"),
    ("My favourite tea is oolong.", "preference"),
    ("I prefer tabs", "preference"),
    ("Anna doesn't like olives.", "preference"),
    ("my dog is called Rex", "fact"),
    ("I’m allergic to peanuts.", "fact"),
    ("The report is due on Friday.", "task"),
    ("Deadline for the talk: 4 May.", "task"),
    ("TODO: renew the passport.", "task"),
    ("to do: renew the passport.", "task"),
    ("Action item: call the bank.", "task"),
    ("Remind me to water the plants.", "task"),
    ("Need to review PR #42 by Friday", "task"),
    ("Decision: ship on Monday.", "decision"),
    ("Lessons learned: test the restore.", "lesson"),
    ("Lesson: test the restore.", "lesson"),
]
NOTES = [
    "Grafana runs on the old server.",
    "The staging database expires in May.",
    "Our retro takes place on Fridays.",
    "PostgreSQL is our main database.",
    "Gate code: 4471#",
]
EMPTY_PHRASES = [
    "Everything is fine.",
    "It was so special.",
    "Life is good.",
    "I have no idea about the weather.",
    "You look great in the photo.",
]
SMALL_TALK = [
    "I just wanted to check in.",
    "I didn't know that the tomb stood for the womb.",
    "I really like the idea of a reading list.",
    "Sometimes, all we need is a friend to talk to.",
    "I'm a huge fan.",
    "I chatted with my friends about it.",
    "I've been using that app on my phone.",
    "I just talked to someone who told some amazing stories.",
    "I'm really enjoying the progress I've been making.",
    "We made pizza!",
    "So much has happened on and off the court.",
]
PERSONAL_FACTS = [
    "I'm a huge fan of Lord of the Rings!",
    "I love snapper!",
    "I joined a gym last week.",
    "I have three bikes: a road bike, a mountain bike and a commuter.",
    "My cousin moved to Oslo.",
]


@pytest.mark.parametrize(("sentence", "category"), CATEGORIES)
def test_the_category_of_a_sentence(sentence: str, category: str) -> None:
    assert category_of(sentence) == category


def test_a_due_statement_is_a_task_and_a_past_one_an_episode() -> None:
    assert category_of("The dentist moved my appointment.", due=True) == "task"
    assert category_of("Ann visited Rome.", past=True) == "episode"
    assert category_of("We decided to move.", due=True) == "decision"


@pytest.mark.parametrize("sentence", [*NOTES, *(sentence for sentence, _ in CATEGORIES)])
def test_notes_are_kept(sentence: str) -> None:
    worth = score_sentence(sentence, noted=True)
    assert worth.points - worth.unclear >= WEIGHTS.enough


@pytest.mark.parametrize("sentence", EMPTY_PHRASES)
def test_empty_phrases_are_dropped(sentence: str) -> None:
    worth = score_sentence(sentence, noted=True)
    assert worth.points - worth.unclear < WEIGHTS.enough


@pytest.mark.parametrize("sentence", SMALL_TALK)
def test_small_talk_is_dropped(sentence: str) -> None:
    worth = score_sentence(sentence)
    assert worth.points - worth.unclear < WEIGHTS.enough


@pytest.mark.parametrize("sentence", PERSONAL_FACTS)
def test_personal_facts_are_kept(sentence: str) -> None:
    worth = score_sentence(sentence)
    assert worth.points - worth.unclear >= WEIGHTS.enough
