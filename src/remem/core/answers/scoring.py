"""How well each place that was read answers, and whether any of them does; pure."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from remem.core.answers.model import NOT_ASKED, Place, Reading
from remem.core.answers.people import is_said_by_another
from remem.core.language.times.queries import Window

# What a score is made of besides the odds that the reader gives. Chosen on the development
# conversations of LoCoMo.
BY_RELEVANCE, BY_RANK, BY_ANOTHER = 1.0, 0.3, 4.0


class PlaceOrder(NamedTuple):
    """What puts places in order. The odds tell an answer from none in the same text, and hardly one
    text from another; that the strength of a span does. `first` is for the first text, `in_time`
    for one that was said about the time that the question names."""

    odds: float
    strength: float
    relevance: float
    rank: float
    first: float
    another: float
    in_time: float = 0.0


# In talks, where a speaker is asked about by name, the order of the texts says more.
NOTES_ORDER = PlaceOrder(odds=0.3, strength=0.9, relevance=1.0, rank=1.0, first=0.0, another=4.0)
TALK_ORDER = PlaceOrder(
    odds=0.1, strength=0.5, relevance=0.5, rank=1.2, first=1.2, another=2.7, in_time=6.0
)
# The score from which on something is an answer, where the question names nobody who speaks, and
# what it counts that its sentence has all words of the question; chosen on written notes.
ANSWERS_FROM, BY_COVER = 6.5, 10.0
# And where it names one: what the odds of the best place count for it, that its sentence has the
# words of the question, and that another's turn is more relevant to the same question about them
# than any turn of the one who is named; a logistic regression on development conversations of
# LoCoMo and written talks, its bias where 86 % of what those answer is answered.
NAMED_BIAS, NAMED_ODDS, NAMED_COVER, BY_LEAD = -0.9, 0.038, 2.42, 0.355
LEAST_OF_ANOTHER, MOST_LEAD = -4.0, 6.0


@dataclass(frozen=True, slots=True)
class Scored:
    """A place that may answer: how surely by itself (`score`), and how well beside the others
    (`order`). `by_another` is how far it is said by somebody else than the one the question is
    about."""

    reading: Reading
    place: Place
    score: float
    by_another: float = 0.0
    order: float = 0.0

    @property
    def text(self) -> str:
        return self.reading.source.content[self.place.start : self.place.end]


def score(
    named: frozenset[str], readings: Sequence[Reading], asked: Sequence[Window] = ()
) -> list[Scored]:
    """Every place that was read, best first; `named` are the speakers, and `asked` the times, that
    are asked about."""
    found = [
        _scored(named, asked, reading, place) for reading in readings for place in reading.places
    ]
    return sorted(found, key=lambda one: -one.order)


def certainty(scored: Sequence[Scored], *, cover: float, named: bool) -> float:
    """How far the best is above what an answer needs; `cover` is how much of the question its
    sentence has. Where somebody is asked about by name, it speaks against it that another's turn
    answers the same about themselves, and none of theirs does as well: most likely the question has
    the wrong name."""
    best = scored[0]
    if not named:
        return best.score + BY_COVER * cover - ANSWERS_FROM
    own = max((one.reading.relevance for one in scored if not one.by_another), default=NOT_ASKED)
    lead = max(best.reading.of_another, LEAST_OF_ANOTHER) - own
    against = BY_LEAD * min(max(lead, -MOST_LEAD), MOST_LEAD)
    return NAMED_BIAS + NAMED_ODDS * odds_of(best.place) + NAMED_COVER * cover**2 - against


def _scored(
    named: frozenset[str], asked: Sequence[Window], reading: Reading, place: Place
) -> Scored:
    by_another = is_said_by_another(named, reading.source)
    odds, relevance, rank = odds_of(place), reading.relevance, reading.rank
    total = odds + BY_RELEVANCE * relevance - BY_RANK * rank - BY_ANOTHER * by_another
    weight = TALK_ORDER if named else NOTES_ORDER
    order = weight.odds * odds + weight.strength * place.strength + weight.relevance * relevance
    order -= weight.rank * rank - weight.first * (rank == 0) + weight.another * by_another
    said_at = reading.source.said_at
    if said_at and any(first <= said_at < last for first, last in asked):
        order += weight.in_time
    return Scored(reading, place, total, by_another, order)


def odds_of(place: Place) -> float:
    """The logarithm of the odds."""
    share = min(max(place.confidence, 1e-6), 1 - 1e-6)
    return math.log(share / (1 - share))


def probability(score: float) -> float:
    return 1 / (1 + math.exp(-min(max(score, -30), 30)))
