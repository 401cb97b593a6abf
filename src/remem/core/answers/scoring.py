"""How well each place that was read answers, and whether any of them does; pure."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from remem.core.answers.model import Place, Reading
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
# The score from which on something is an answer, where the question names nobody who speaks.
ANSWERS_FROM = -3.0
# And where it names one: what the odds and the relevance of the best place count for it, and what
# the relevance of another's turn to the same question about them counts against it, from a least to
# a most; a logistic regression on the development conversations of LoCoMo.
NAMED_BIAS, NAMED_ODDS, NAMED_RELEVANCE = 1.24, 0.048, 0.208
OF_ANOTHER, OF_ANOTHER_LEAST, OF_ANOTHER_MOST = 0.341, -4.0, 6.0


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


def certainty(scored: Sequence[Scored], *, named: bool) -> float:
    """How far the best is above what an answer needs. Where somebody is asked about by name, it
    speaks against it that another's turn would answer about themselves: most likely the question
    has the wrong name."""
    best = scored[0]
    if not named:
        return best.score - ANSWERS_FROM
    of_another = min(max(best.reading.of_another, OF_ANOTHER_LEAST), OF_ANOTHER_MOST)
    for_it = NAMED_ODDS * odds_of(best.place) + NAMED_RELEVANCE * best.reading.relevance
    return NAMED_BIAS + for_it - OF_ANOTHER * (of_another - OF_ANOTHER_LEAST)


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
