"""How sure an answer is, and from where on it is one."""

from datetime import UTC, datetime
from uuid import uuid4

import pytest

from remem.core.answers.model import NOT_ASKED, Answer, Citation, Place, Reading, Source
from remem.core.answers.say import claims_of
from remem.core.answers.scoring import ScoredPlace, certainty, score
from remem.core.answers.stated import is_stated, question_coverage

# Odds of ten to one.
SURE = 10 / 11


def reading(
    content: str,
    *,
    speaker: str | None = None,
    rank: int = 0,
    relevance: float = 0.0,
    other_relevance: float = NOT_ASKED,
) -> Reading:
    source = Source(content, "chunk", uuid4(), speaker=speaker)
    return Reading(source, rank, relevance, [Place(0, 1, SURE)], other_relevance)


def sure_of(*readings: Reading, cover: float = 0.0, named: str = "") -> float:
    scored = score(frozenset({named} if named else ()), readings)
    return certainty(scored, cover=cover, named=bool(named))


def test_of_a_note_relevance_odds_and_cover_count() -> None:
    assert sure_of(reading("A note.")) == pytest.approx(2.303 - 6.5, abs=0.001)
    assert sure_of(reading("A note.", relevance=2.0)) == pytest.approx(4.303 - 6.5, abs=0.001)
    assert sure_of(reading("A note."), cover=0.5) == pytest.approx(7.303 - 6.5, abs=0.001)


@pytest.mark.parametrize(
    ("own", "of_another", "lead"),
    [
        (1.0, 3.0, 2.0),
        (3.0, 1.0, -2.0),
        (-5.0, 5.0, 6.0),
        (5.0, -3.0, -6.0),
        # Below a least it says no more how little another answers.
        (-8.0, -4.0, 4.0),
        (-8.0, NOT_ASKED, 4.0),
    ],
)
def test_who_is_named_must_answer_as_well_as_another(
    own: float, of_another: float, lead: float
) -> None:
    ana = reading("Ana: I ran.", speaker="Ana", relevance=own, other_relevance=of_another)
    expected = -0.9 + 0.038 * 2.303 - 0.355 * lead
    assert sure_of(ana, named="ana") == pytest.approx(expected, abs=0.001)


def test_the_best_of_their_own_turns_counts() -> None:
    ben = reading("Ben: I swam.", speaker="Ben", relevance=7.0, other_relevance=1.0)
    ana = reading("Ana: I ran.", speaker="Ana", relevance=2.0, rank=1, other_relevance=1.0)
    expected = -0.9 + 0.038 * 2.303 + 0.355 * 1.0
    assert sure_of(ben, ana, named="ana") == pytest.approx(expected, abs=0.001)
    expected = -0.9 + 0.038 * 2.303 - 0.355 * 6.0
    assert sure_of(ben, named="ana") == pytest.approx(expected, abs=0.001)


def test_a_sentence_with_all_words_of_the_question_is_surer() -> None:
    ana = reading("Ana: I ran.", speaker="Ana", relevance=0.0, other_relevance=0.0)
    lead = sure_of(ana, named="ana")
    assert sure_of(ana, cover=0.5, named="ana") == pytest.approx(lead + 2.42 / 4)
    assert sure_of(ana, cover=1.0, named="ana") == pytest.approx(lead + 2.42)


@pytest.mark.parametrize(
    ("content", "title", "share"),
    [
        ("Oskar's birthday is on 9 May.", "", 1.0),
        ("Oskar likes tea. His birthday is on 9 May.", "", 0.5),
        ("On 9 May.", "Birthday of Oskar", 1.0),
        ("It rains.", "", 0.0),
    ],
)
def test_how_much_of_the_question_a_sentence_has(content: str, title: str, share: float) -> None:
    source = Source(content, "chunk", uuid4(), title=title)
    place = Place(0, 5, 0.9)
    one = ScoredPlace(Reading(source, 0, 0.0, [place]), place, 0.0)
    assert question_coverage("When is Oskar's birthday?", one) == share


def test_a_question_of_no_words_is_not_covered() -> None:
    one = ScoredPlace(reading("It is."), Place(0, 2, 0.9), 0.0)
    assert question_coverage("What is it?", one) == 0.0


@pytest.mark.parametrize(
    ("sentence", "confidence", "is_known"),
    [
        ("I travelled to Vienna.", 0.99995, True),
        ("I travelled to Vienna.", 0.9998, False),
        ("I visited Vienna.", 0.6, True),
    ],
)
def test_a_sentence_without_a_word_of_the_question_must_be_sure(
    sentence: str, confidence: float, is_known: bool
) -> None:
    source = Source(sentence, "memory", uuid4())
    start = sentence.index("Vienna")
    cited = Citation(source, start, start + 6, "Vienna", "Vienna", confidence)
    found = Answer("Which city did I visit?", "one", "Vienna", 0.9, (cited,))
    assert bool(claims_of(found)) is is_known


@pytest.mark.parametrize(
    ("note", "expected"),
    [
        # Without a year, and by a verb that may be past: of the last March as well as of the next.
        ("Read Emma in March.", True),
        ("I am reading Emma on 18 December.", False),
    ],
)
def test_a_time_that_may_be_over_is_not_ahead(note: str, expected: bool) -> None:
    source = Source(note, "memory", uuid4(), said_at=datetime(2026, 11, 17, tzinfo=UTC))
    start = note.index("Emma")
    place = Place(start, start + 4, 0.9)
    one = ScoredPlace(Reading(source, 0, 0.0, [place]), place, 0.0)
    asked_at = datetime(2026, 11, 18, tzinfo=UTC)
    assert is_stated("Which books did I read?", asked_at, one) is expected
