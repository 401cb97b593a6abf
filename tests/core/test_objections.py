"""How many points each objection subtracts from the worth of a sentence."""

import pytest

from remem.core.memories.rules.objections import OBJECTIONS


def penalty(sentence: str) -> float:
    return sum(objection.penalty(sentence) for objection in OBJECTIONS)


@pytest.mark.parametrize(
    ("sentence", "points"),
    [
        ("The boat is in the harbour.", 0.0),
        # The mood of a place, praise, a sentence without a fact.
        ("The atmosphere was electric.", 2.5),
        ("The old harbour is so beautiful!", 2.5),
        ("Something new came to the harbour.", 1.5),
        # An intention, alone and as an offer.
        ("I will paint the boat.", 1.0),
        ("I'll share the plan of the boat.", 2.5),
        ("I'll have to paint the boat.", 3.5),
        # A guess, a worry, an attempt.
        ("The ferry would leave at seven.", 2.0),
        ("I'm worried of the boat in the harbour.", 2.5),
        ("I'm trying to paint the boat.", 1.0),
        # Addressed to the listener.
        ("The boat is yours.", 2.5),
        ("We should paint the boat.", 1.5),
        # A mood, a maxim, a statement about everyone.
        ("I'm glad of the boat.", 2.5),
        ("The boat was worth it.", 2.5),
        ("The harbour brings us fish.", 2.5),
        ("Everyone paints the boat.", 2.0),
        # It names nothing, or refers to something that is named elsewhere.
        ("I love it there.", 2.0),
        ("I am a huge fan.", 2.5),
        ("Ana knows of it.", 2.0),
        ("Somebody paints the boat.", 1.5),
        ("Ana is seeing progress.", 2.0),
        ("The boat is dry right now.", 1.5),
        ("Ana knows the way.", 2.0),
        # It continues another sentence, or breaks off.
        ("And the boat is blue.", 1.0),
        ("Here is the boat.", 2.0),
        ("Moreover the boat is blue.", 1.5),
        ("The boat is blue too.", 1.5),
    ],
)
def test_the_penalty_of_a_sentence(sentence: str, points: float) -> None:
    assert penalty(sentence) == points


@pytest.mark.parametrize(
    ("before", "points"),
    [("x" * 35, 2.5), ("x" * 45, 1.5)],
)
def test_the_penalty_is_smaller_after_the_first_clause(before: str, points: float) -> None:
    assert penalty(f"{before} is yours.") == points


@pytest.mark.parametrize("before", ["Ana", "x" * 300])
def test_a_question_is_always_rejected(before: str) -> None:
    assert penalty(f"{before} is in the harbour?") == float("inf")
