"""The points of each part of a sentence in its worth, and how many words are read for them."""

import pytest

from remem.core.memories.rules import worth
from remem.core.memories.rules.worth import depends_on_previous, names_its_topic, score_sentence


def words_of(sentence: str) -> list[str]:
    return worth._split_words(worth._WORD.findall(sentence))


@pytest.mark.parametrize(
    ("sentence", "points"),
    [
        ("I am married", 3.0),
        ("I live in Oslo", 2.5),
        ("I painted it", 2.0),
        ("I am a nurse", 2.0),
        ("I am painting it", 1.5),
        ("I king", 0.5),
        ("I think so", -0.5),
        # The verb is one of the first five words.
        ("I really really really really live in Oslo", 2.5),
        ("I really really really really really live in Oslo", 0.5),
    ],
)
def test_points_for_what_the_speaker_does(sentence: str, points: float) -> None:
    assert worth._speaker_score(words_of(sentence), 0) == points


@pytest.mark.parametrize(
    ("sentence", "points"),
    [
        ("a thing", 0.0),
        ("my thing", 0.5),
        ("my big old sister", 1.5),
        ("my very big old sister", 0.5),
    ],
)
def test_points_for_possessions_of_the_speaker(sentence: str, points: float) -> None:
    assert worth._possession_score(words_of(sentence)) == points


@pytest.mark.parametrize(
    ("sentence", "points"),
    [
        ("blue nothing", 0.0),
        ("Ana nothing", 0.5),
        ("Ana painted the boat", 1.5),
        ("Ana is blue", 1.5),
        ("Connecting people is key", -2.0),
        # A verb within seven words, a form of "be" within six.
        ("Ana a b c d e f painted", 1.5),
        ("Ana a b c d e f g painted", 0.5),
        ("Ana a b c d e is", 1.5),
        ("Ana a b c d e f is", 0.5),
    ],
)
def test_points_for_statements_about_a_name(sentence: str, points: float) -> None:
    assert worth._named_subject_score(sentence, words_of(sentence)) == points


@pytest.mark.parametrize(
    ("sentence", "noted", "points"),
    [
        ("Ana painted the boat", False, 0.75),
        ("Ana painted the boat", True, 2.5),
        ("Walking home I painted it", False, 1.0),
        ("My boat is blue", False, 2.5),
    ],
)
def test_points_for_the_subject(sentence: str, noted: bool, points: float) -> None:
    assert worth._statement_score(sentence, words_of(sentence), noted=noted) == points


@pytest.mark.parametrize(
    ("sentence", "points"),
    [
        ("boat mast", 0.5),
        ("boat mast sail rope anchor keel", 1.5),
        ("boat mast sail rope anchor keel deck hull", 1.5),
        ("boat", -1.25),
        ("boat seven", 1.0),
        ("the boat 7", 1.25),
        ("the boat 7 euros", 1.75),
        # At most two names count.
        ("boat in Oslo", 1.25),
        ("boat in Oslo and Rome and Bern", 2.5),
        # Praise alone says nothing about its object.
        ("amazing boat mast", -0.5),
        ("amazing great boat mast sail", 0.35),
    ],
)
def test_points_for_content(sentence: str, points: float) -> None:
    assert worth._content_score(sentence, words_of(sentence)) == pytest.approx(points)


@pytest.mark.parametrize(
    ("sentence", "points"),
    [
        ("it is blue", 2.5),
        ("this is blue", 2.0),
        ("this boat is blue", 1.0),
        ("Ana a b c d e it", 1.0),
        ("Ana a b c d e f it", 0.0),
        ("Ana paints these boats", 0.5),
        ("I paid to attend.", 1.0),
        ("I painted the old boat and it floats", 0.5),
    ],
)
def test_points_for_references_to_other_sentences(sentence: str, points: float) -> None:
    assert worth._unclear_score(sentence, words_of(sentence)) == points


@pytest.mark.parametrize(
    ("sentence", "plain", "spoken"),
    [
        # Labelled as a task, or pasted into a conversation.
        ("To do: paint the mast of the boat", 3.0, 3.0),
        ("Perks: free boat, mast, sail", 1.0, -2.0),
        # Too short to say much.
        ("We painted boats", 1.5, 1.5),
        ("We painted boats today", 2.5, 2.5),
        # Advice to the listener.
        ("Use tabs in the boat", -2.5, -2.5),
    ],
)
def test_the_sum_of_all_points(sentence: str, plain: float, spoken: float) -> None:
    assert score_sentence(sentence).points == plain
    assert score_sentence(sentence, spoken=True).points == spoken


def test_a_sentence_with_one_unclear_point_depends_on_the_previous_one() -> None:
    assert depends_on_previous("Ana says it")
    assert not depends_on_previous("Ana paints these boats")


@pytest.mark.parametrize(
    ("sentence", "names"),
    [("Ana painted boats", True), ("It was the boat", False), ("Boats", False)],
)
def test_three_words_name_the_topic(sentence: str, names: bool) -> None:
    assert names_its_topic(sentence) is names
