"""Score how well each place answers, and whether any of them does; pure."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from remem.core.answers.model import NOT_ASKED, Place, Reading
from remem.core.answers.people import is_said_by_another
from remem.core.language.times.queries import Window

# The weights of a score, in addition to the reader's log odds. Chosen on the development
# conversations of LoCoMo.
RELEVANCE_WEIGHT, RANK_WEIGHT, OTHER_SPEAKER_WEIGHT = 1.0, 0.3, 4.0


class OrderWeights(NamedTuple):
    """The weights that determine the order of places. The odds distinguish an answer from the rest
    of its text, but hardly one text from another; the strength of a span does. `first` is for the
    first text, `in_time` for one said in the time that the question names."""

    odds: float
    strength: float
    relevance: float
    rank: float
    first: float
    said_by_other: float
    in_time: float = 0.0


# In conversations with a named speaker, the order of the texts is more significant.
NOTES_ORDER = OrderWeights(
    odds=0.3, strength=0.9, relevance=1.0, rank=1.0, first=0.0, said_by_other=4.0
)
TALK_ORDER = OrderWeights(
    odds=0.1, strength=0.5, relevance=0.5, rank=1.2, first=1.2, said_by_other=2.7, in_time=6.0
)
# The minimum score of an answer if the question names no speaker, and the weight of the share of
# the question's words in the sentence; chosen on written notes.
MIN_SCORE, COVERAGE_WEIGHT = 6.5, 10.0
# If the question names a speaker: the weights of the odds of the best place, of the share of the
# question's words in its sentence, and of how much more relevant another speaker's turn is to the
# same question about that speaker than any turn of the named one. A logistic regression on
# development conversations of LoCoMo and written conversations; the bias is where 86 % of the
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

    @property
    def text(self) -> str:
        return self.reading.source.content[self.place.start : self.place.end]


def score(
    named: frozenset[str], readings: Sequence[Reading], windows: Sequence[Window] = ()
) -> list[ScoredPlace]:
    """Every place that was read, best first; `named` are the speakers, and `windows` the times,
    that the question names."""
    places = [
        _score_place(named, windows, reading, place)
        for reading in readings
        for place in reading.places
    ]
    return sorted(places, key=lambda candidate: -candidate.order)


def certainty(scored: Sequence[ScoredPlace], *, cover: float, named: bool) -> float:
    """The log odds that the best place answers; `cover` is the share of the question's words in its
    sentence. If a speaker is named, a turn of another speaker that answers better than all of
    theirs counts against it: most likely the question has the wrong name."""
    best = scored[0]
    if not named:
        return best.score + COVERAGE_WEIGHT * cover - MIN_SCORE
    own = max(
        (candidate.reading.relevance for candidate in scored if not candidate.said_by_other),
        default=NOT_ASKED,
    )
    lead = max(best.reading.other_relevance, MIN_OTHER_RELEVANCE) - own
    penalty = LEAD_WEIGHT * min(max(lead, -MAX_LEAD), MAX_LEAD)
    return NAMED_BIAS + NAMED_ODDS * odds_of(best.place) + NAMED_COVERAGE * cover**2 - penalty


def _score_place(
    named: frozenset[str], windows: Sequence[Window], reading: Reading, place: Place
) -> ScoredPlace:
    said_by_other = is_said_by_another(named, reading.source)
    odds, relevance, rank = odds_of(place), reading.relevance, reading.rank
    total = (
        odds
        + RELEVANCE_WEIGHT * relevance
        - RANK_WEIGHT * rank
        - OTHER_SPEAKER_WEIGHT * said_by_other
    )
    weight = TALK_ORDER if named else NOTES_ORDER
    order = weight.odds * odds + weight.strength * place.strength + weight.relevance * relevance
    order -= weight.rank * rank - weight.first * (rank == 0) + weight.said_by_other * said_by_other
    said_at = reading.source.said_at
    if said_at and any(first <= said_at < last for first, last in windows):
        order += weight.in_time
    return ScoredPlace(reading, place, total, said_by_other, order)


def odds_of(place: Place) -> float:
    """The log odds of the confidence."""
    clamped = min(max(place.confidence, 1e-6), 1 - 1e-6)
    return math.log(clamped / (1 - clamped))


def probability(score: float) -> float:
    return 1 / (1 + math.exp(-min(max(score, -30), 30)))
