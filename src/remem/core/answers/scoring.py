"""Score how well each place answers, and whether any of them does; pure."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from remem.core.answers.calibration import CALIBRATION, OrderWeights
from remem.core.answers.model import NOT_ASKED, Place, Reading
from remem.core.answers.people import is_said_by_another
from remem.core.language.times.queries import Window
from remem.core.language.word_keys import QueryWords, query_words

# The weights of a score, in addition to the reader's log odds. Chosen on the development
# conversations of LoCoMo.
RELEVANCE_WEIGHT, RANK_WEIGHT, OTHER_SPEAKER_WEIGHT = 1.0, 0.3, 4.0


class TalkOrder(NamedTuple):
    """The weights of a place in a conversation with a named speaker. The odds distinguish an answer
    from the rest of its text, but hardly one text from another; the strength of a span does.
    `first` is for the first text, `in_time` for one said in the time that the question names."""

    odds: float
    strength: float
    relevance: float
    rank: float
    first: float
    said_by_other: float
    in_time: float


TALK_ORDER = TalkOrder(
    odds=0.1, strength=0.5, relevance=0.5, rank=1.2, first=1.2, said_by_other=2.7, in_time=6.0
)
# The minimum log odds of a known answer.
MIN_LOG_ODDS = CALIBRATION.known
# The largest lead that counts, and the order of a text without any place.
MOST_AHEAD, LEAST_ORDER = 8.0, -8.0
# If the question names a speaker: the weights of the odds of the best place, of the share of the
# question's words in its sentence, and of how much more relevant another speaker's turn is to the
# same question about that speaker than any turn of the named one. A logistic regression on
# development conversations of LoCoMo and written conversations; from the minimum on, 86 % of the
# questions that these answer are answered.
NAMED_BIAS, NAMED_ODDS, NAMED_COVERAGE, LEAD_WEIGHT = -0.9, 0.038, 2.42, 0.355
MIN_OTHER_RELEVANCE, MAX_LEAD = -4.0, 6.0


@dataclass(frozen=True, slots=True)
class ScoredPlace:
    """A place that may answer: how certain it is alone (`score`), and its rank among the others
    (`order`). `said_by_other` is how far it is said by somebody other than the person the question
    is about."""

    reading: Reading
    place: Place
    score: float
    said_by_other: float = 0.0
    order: float = 0.0
    covered: float = 0.0

    @property
    def text(self) -> str:
        return self.reading.source.content[self.place.start : self.place.end]


def score(
    question: str,
    named: frozenset[str],
    readings: Sequence[Reading],
    windows: Sequence[Window] = (),
) -> list[ScoredPlace]:
    """Every place that was read, best first; `named` are the speakers, and `windows` the times,
    that the question names."""
    words = query_words(question)
    places = [
        _score_place(named, reading, place, measures_of(words, reading, number))
        for reading in readings
        for number, place in enumerate(reading.places)
    ]
    if named:
        places = [replace(place, order=_order_in_talk(place, windows)) for place in places]
    return sorted(places, key=lambda candidate: -candidate.order)


def measures_of(words: QueryWords, reading: Reading, number: int) -> OrderWeights:
    """What the order of a place is learned from."""
    source, place = reading.source, reading.places[number]
    context = (*source.heading_path, source.title, source.speaker or "", source.content)
    covered = len(words.found_in(" ".join(context))) / max(1, len(words.words))
    is_first = float(reading.rank == 0)
    return OrderWeights(
        odds_of(place),
        place.strength,
        reading.relevance,
        float(reading.rank),
        is_first,
        covered,
        float(number),
    )


def certainty_measures(scored: Sequence[ScoredPlace]) -> tuple[float, ...]:
    """What the certainty of the best place is learned from, in the order of its weights."""
    best = scored[0]
    others = [other for other in scored if other.reading.source is not best.reading.source]
    next_order = max((other.order for other in others), default=LEAST_ORDER)
    next_relevance = max((other.reading.relevance for other in others), default=NOT_ASKED)
    more_relevant = best.reading.relevance - next_relevance
    return (
        min(best.order - next_order, MOST_AHEAD),
        min(max(more_relevant, -MOST_AHEAD), MOST_AHEAD),
        odds_of(best.place),
        best.place.strength,
        best.reading.relevance,
        best.covered,
    )


def certainty(scored: Sequence[ScoredPlace], *, cover: float, named: bool) -> float:
    """The log odds that the best place answers; `cover` is the share of the question's words in its
    sentence. If a speaker is named, a turn of another speaker that answers better than all of
    theirs counts against it: most likely the question has the wrong name."""
    best = scored[0]
    if not named:
        bias, *weights = CALIBRATION.certainty
        return bias + _weighted(weights, certainty_measures(scored))
    own = max(
        (candidate.reading.relevance for candidate in scored if not candidate.said_by_other),
        default=NOT_ASKED,
    )
    lead = max(best.reading.other_relevance, MIN_OTHER_RELEVANCE) - own
    penalty = LEAD_WEIGHT * min(max(lead, -MAX_LEAD), MAX_LEAD)
    bias = MIN_LOG_ODDS + NAMED_BIAS
    return bias + NAMED_ODDS * odds_of(best.place) + NAMED_COVERAGE * cover**2 - penalty


def _score_place(
    named: frozenset[str], reading: Reading, place: Place, measures: OrderWeights
) -> ScoredPlace:
    said_by_other = is_said_by_another(named, reading.source)
    total = (
        odds_of(place)
        + RELEVANCE_WEIGHT * reading.relevance
        - RANK_WEIGHT * reading.rank
        - OTHER_SPEAKER_WEIGHT * said_by_other
    )
    order = _weighted(CALIBRATION.order, measures)
    return ScoredPlace(reading, place, total, said_by_other, order, measures.covered)


def _weighted(weights: Sequence[float], measures: Sequence[float]) -> float:
    return sum(weight * measure for weight, measure in zip(weights, measures, strict=True))


def _order_in_talk(candidate: ScoredPlace, windows: Sequence[Window]) -> float:
    weight, place, reading = TALK_ORDER, candidate.place, candidate.reading
    order = weight.odds * odds_of(place) + weight.strength * place.strength
    order += weight.relevance * reading.relevance - weight.rank * reading.rank
    order += weight.first * (reading.rank == 0) - weight.said_by_other * candidate.said_by_other
    said_at = reading.source.said_at
    if said_at and any(first <= said_at < last for first, last in windows):
        order += weight.in_time
    return order


def odds_of(place: Place) -> float:
    """The log odds of the confidence."""
    clamped = min(max(place.confidence, 1e-6), 1 - 1e-6)
    return math.log(clamped / (1 - clamped))


def probability(score: float) -> float:
    return 1 / (1 + math.exp(-min(max(score, -30), 30)))
