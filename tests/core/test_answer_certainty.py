"""How certain an answer is, and how certain it has to be."""

from datetime import UTC, datetime
from uuid import uuid4

import pytest

from remem.core.answers.model import NOT_ASKED, Answer, Citation, Place, Reading, Source
from remem.core.answers.say import claims_of
from remem.core.answers.scoring import MIN_LOG_ODDS, ScoredPlace, certainty, score
from remem.core.answers.stated import is_stated, question_coverage

# Odds of ten to one.
CONFIDENCE = 10 / 11


def reading(
    content: str,
    *,
    speaker: str | None = None,
    rank: int = 0,
    relevance: float = 0.0,
    other_relevance: float = NOT_ASKED,
) -> Reading:
    source = Source(content, "chunk", uuid4(), speaker=speaker)
    return Reading(source, rank, relevance, [Place(0, 1, CONFIDENCE)], other_relevance)


WEAK = Place(0, 1, CONFIDENCE, 0.0)


def note(place: Place, content: str = "A note.", rank: int = 0) -> Reading:
    return Reading(Source(content, "chunk", uuid4()), rank, 3.0, [place])


def certainty_of(*readings: Reading, cover: float = 0.0, named: str = "") -> float:
    scored = score("What did I do?", frozenset({named} if named else ()), readings)
    return certainty(scored, cover=cover, named=bool(named))


@pytest.mark.parametrize("ahead", [WEAK._replace(strength=8.0), WEAK._replace(confidence=0.999)])
def test_a_stronger_place_is_more_certain(ahead: Place) -> None:
    assert certainty_of(note(ahead)) > certainty_of(note(WEAK))


def test_an_answer_that_another_text_gives_as_well_is_not_more_certain() -> None:
    strong = WEAK._replace(strength=8.0)
    alone = certainty_of(note(strong), note(WEAK, rank=1))
    assert alone >= certainty_of(note(strong), note(strong, rank=1))


def test_a_text_with_the_words_of_the_question_comes_first() -> None:
    covering, other = note(WEAK, "I did the tax."), note(WEAK, "It rains.")
    scored = score("Who did the tax?", frozenset(), [other, covering])
    assert scored[0].reading is covering
    assert [place.covered for place in scored] == [1.0, 0.0]


@pytest.mark.parametrize(
    ("own", "of_other", "lead"),
    [
        (1.0, 3.0, 2.0),
        (3.0, 1.0, -2.0),
        (-5.0, 5.0, 6.0),
        (5.0, -3.0, -6.0),
        # Below a minimum, the relevance of the other speaker makes no further difference.
        (-8.0, -4.0, 4.0),
        (-8.0, NOT_ASKED, 4.0),
    ],
)
def test_the_named_speaker_must_answer_as_well_as_another(
    own: float, of_other: float, lead: float
) -> None:
    ana = reading("Ana: I ran.", speaker="Ana", relevance=own, other_relevance=of_other)
    expected = MIN_LOG_ODDS - 0.9 + 0.038 * 2.303 - 0.355 * lead
    assert certainty_of(ana, named="ana") == pytest.approx(expected, abs=0.001)


def test_the_best_turn_of_the_named_speaker_counts() -> None:
    ben = reading("Ben: I swam.", speaker="Ben", relevance=7.0, other_relevance=1.0)
    ana = reading("Ana: I ran.", speaker="Ana", relevance=2.0, rank=1, other_relevance=1.0)
    expected = MIN_LOG_ODDS - 0.9 + 0.038 * 2.303 + 0.355 * 1.0
    assert certainty_of(ben, ana, named="ana") == pytest.approx(expected, abs=0.001)
    expected = MIN_LOG_ODDS - 0.9 + 0.038 * 2.303 - 0.355 * 6.0
    assert certainty_of(ben, named="ana") == pytest.approx(expected, abs=0.001)


def test_a_sentence_with_all_words_of_the_question_is_more_certain() -> None:
    ana = reading("Ana: I ran.", speaker="Ana", relevance=0.0, other_relevance=0.0)
    lead = certainty_of(ana, named="ana")
    assert certainty_of(ana, cover=0.5, named="ana") == pytest.approx(lead + 2.42 / 4)
    assert certainty_of(ana, cover=1.0, named="ana") == pytest.approx(lead + 2.42)


@pytest.mark.parametrize(
    ("content", "title", "share"),
    [
        ("Oskar's birthday is on 9 May.", "", 1.0),
        ("Oskar likes tea. His birthday is on 9 May.", "", 0.5),
        ("On 9 May.", "Birthday of Oskar", 1.0),
        ("It rains.", "", 0.0),
    ],
)
def test_how_much_of_the_question_a_sentence_covers(content: str, title: str, share: float) -> None:
    source = Source(content, "chunk", uuid4(), title=title)
    place = Place(0, 5, 0.9)
    scored = ScoredPlace(Reading(source, 0, 0.0, [place]), place, 0.0)
    assert question_coverage("When is Oskar's birthday?", scored) == share


def test_a_question_without_content_words_is_not_covered() -> None:
    scored = ScoredPlace(reading("It is."), Place(0, 2, 0.9), 0.0)
    assert question_coverage("What is it?", scored) == 0.0


@pytest.mark.parametrize(
    ("sentence", "confidence", "is_known"),
    [
        ("I travelled to Vienna.", 0.99995, True),
        ("I travelled to Vienna.", 0.9998, False),
        ("I visited Vienna.", 0.6, True),
    ],
)
def test_a_sentence_without_a_word_of_the_question_needs_high_confidence(
    sentence: str, confidence: float, is_known: bool
) -> None:
    source = Source(sentence, "memory", uuid4())
    start = sentence.index("Vienna")
    citation = Citation(source, start, start + 6, "Vienna", "Vienna", confidence)
    answer = Answer("Which city did I visit?", "one", "Vienna", 0.9, (citation,))
    assert bool(claims_of(answer)) is is_known


@pytest.mark.parametrize(
    ("note", "expected"),
    [
        # No year, and a verb that may be past: the last March is as possible as the next.
        ("Read Emma in March.", True),
        ("I am reading Emma on 18 December.", False),
    ],
)
def test_a_time_that_may_be_over_does_not_count_as_future(note: str, expected: bool) -> None:
    source = Source(note, "memory", uuid4(), said_at=datetime(2026, 11, 17, tzinfo=UTC))
    start = note.index("Emma")
    place = Place(start, start + 4, 0.9)
    scored = ScoredPlace(Reading(source, 0, 0.0, [place]), place, 0.0)
    asked_at = datetime(2026, 11, 18, tzinfo=UTC)
    assert is_stated("Which books did I read?", asked_at, scored) is expected
