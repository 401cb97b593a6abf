"""What speaks for keeping a sentence and against it, and which kind of memory it is."""

import pytest

from remem.core.memories.rules.classify import category_of
from remem.core.memories.rules.weights import WEIGHTS
from remem.core.memories.rules.worth import score_sentence

KINDS = [
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
NOTED = [
    "Grafana runs on the old server.",
    "The staging database expires in May.",
    "Our retro takes place on Fridays.",
    "PostgreSQL is our main database.",
    "Gate code: 4471#",
]
IDLE = [
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
KEPT = [
    "I'm a huge fan of Lord of the Rings!",
    "I love snapper!",
    "I joined a gym last week.",
    "I have three bikes: a road bike, a mountain bike and a commuter.",
    "My cousin moved to Oslo.",
]


@pytest.mark.parametrize(("sentence", "category"), KINDS)
def test_the_words_tell_the_kind(sentence: str, category: str) -> None:
    assert category_of(sentence) == category


def test_what_has_a_day_ahead_is_a_task_and_what_is_over_an_episode() -> None:
    assert category_of("The dentist moved my appointment.", due=True) == "task"
    assert category_of("Ann visited Rome.", past=True) == "episode"
    assert category_of("We decided to move.", due=True) == "decision"


@pytest.mark.parametrize("sentence", [*NOTED, *(sentence for sentence, _ in KINDS)])
def test_what_is_noted_down_is_kept(sentence: str) -> None:
    worth = score_sentence(sentence, noted=True)
    assert worth.points - worth.unclear >= WEIGHTS.enough


@pytest.mark.parametrize("sentence", IDLE)
def test_what_says_nothing_is_left(sentence: str) -> None:
    worth = score_sentence(sentence, noted=True)
    assert worth.points - worth.unclear < WEIGHTS.enough


@pytest.mark.parametrize("sentence", SMALL_TALK)
def test_small_talk_is_left(sentence: str) -> None:
    worth = score_sentence(sentence)
    assert worth.points - worth.unclear < WEIGHTS.enough


@pytest.mark.parametrize("sentence", KEPT)
def test_what_is_said_of_a_life_is_kept(sentence: str) -> None:
    worth = score_sentence(sentence)
    assert worth.points - worth.unclear >= WEIGHTS.enough
