"""Make an answer of what was read, or say that there is none; pure."""

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from remem.core.answers.model import Answer, Citation, Place, Reading
from remem.core.answers.people import is_said_by_another, named_speakers
from remem.core.answers.questions import UNITS_D, Asked, is_usual, what_is_asked
from remem.core.language.numbers import count_in
from remem.core.language.times.wording import moment_at, on_day

# What a score is made of besides the odds that the reader gives. Chosen on the development
# conversations of LoCoMo by bench/answers.py --tune.
BY_RELEVANCE, BY_RANK, BY_ANOTHER = 1.0, 0.3, 4.0
# The score from which on something is an answer, where the question names nobody who speaks.
ANSWERS_FROM = -4.75
# And where it names one: what the odds and the relevance of the best place count for it, and what
# the relevance of what another tells of themselves counts against it, from a least to a most; a
# logistic regression on the development conversations of LoCoMo.
NAMED_BIAS, NAMED_ODDS, NAMED_RELEVANCE = 1.34, 0.066, 0.14
NAMED_ANOTHER, ANOTHER_LEAST, ANOTHER_MOST = 0.808, -10.0, -7.0
# How sure it must be; 0 is where six of seven answerable questions are answered.
LEAST = 0.0
# Of several, those are named that are not much less sure than the first.
SEVERAL, BEHIND = 5, 4.0
_WORD = re.compile(r"\w+")
_EMPTY = frozenset("a an the my your his her our their and some i it".split())


@dataclass(frozen=True, slots=True)
class Scored:
    """A place that may answer, and how well; `by_another` is how far it is said by somebody else
    than the one the question is about."""

    reading: Reading
    place: Place
    score: float
    by_another: float = 0.0

    @property
    def text(self) -> str:
        return self.reading.source.content[self.place.start : self.place.end]


def compose(question: str, asked_at: datetime, readings: Sequence[Reading]) -> Answer:
    asked = what_is_asked(question)
    named = named_speakers(question, [reading.source for reading in readings])
    scored = score(named, readings)
    if not scored:
        return Answer(question, asked.kind, None, 0.0)
    sure = certainty(scored, named=bool(named))
    chosen = _chosen(asked, scored)
    citations = tuple(_cited(asked, one) for one in chosen)
    text = _said(asked, citations, chosen, asked_at) if sure >= LEAST else None
    return Answer(question, asked.kind, text, _share(sure), citations)


def score(named: frozenset[str], readings: Sequence[Reading]) -> list[Scored]:
    """Every place that was read, best first; `named` are the speakers that are asked about."""
    found = [_scored(named, reading, place) for reading in readings for place in reading.places]
    return sorted(found, key=lambda one: -one.score)


def certainty(scored: Sequence[Scored], *, named: bool) -> float:
    """How far the best is above what an answer needs. Where somebody is asked about by name, what
    another tells of themselves speaks against it: most likely it is theirs that is asked for."""
    best = scored[0]
    if not named:
        return best.score - ANSWERS_FROM
    others = [one.reading.relevance for one in scored if one.by_another == 1]
    nearest = min(max(others, default=ANOTHER_LEAST), ANOTHER_MOST)
    against = max(0.0, nearest - ANOTHER_LEAST)
    for_it = NAMED_ODDS * _odds(best.place) + NAMED_RELEVANCE * best.reading.relevance
    return NAMED_BIAS + for_it - NAMED_ANOTHER * against


def _scored(named: frozenset[str], reading: Reading, place: Place) -> Scored:
    by_another = is_said_by_another(named, reading.source)
    total = _odds(place) + BY_RELEVANCE * reading.relevance
    total -= BY_RANK * reading.rank + BY_ANOTHER * by_another
    return Scored(reading, place, total, by_another)


def _odds(place: Place) -> float:
    share = min(max(place.confidence, 1e-6), 1 - 1e-6)
    return math.log(share / (1 - share))


def _share(score: float) -> float:
    return 1 / (1 + math.exp(-min(max(score, -30), 30)))


def _chosen(asked: Asked, scored: Sequence[Scored]) -> list[Scored]:
    if asked.kind not in ("list", "count"):
        return [scored[0]]
    near = [one for one in scored if one.score >= scored[0].score - BEHIND]
    return list(_different(near))[:SEVERAL]


def _different(scored: Iterable[Scored]) -> Iterable[Scored]:
    """Those that name something that those before do not."""
    named: set[str] = set()
    for one in scored:
        words = {word for word in _WORD.findall(one.text.lower()) if word not in _EMPTY}
        if words and len(words & named) * 2 < len(words):
            named |= words
            yield one


def _cited(asked: Asked, one: Scored) -> Citation:
    source, place = one.reading.source, one.place
    value = one.text
    start, end = place.start, place.end
    if asked.usual and is_usual(value):
        return Citation(source, start, end, value, value, _share(one.score))
    if asked.kind in ("when", "ago") and source.said_at:
        moment = moment_at(source.content, start, end, source.said_at)
        value = moment.text if moment else value if asked.usual else on_day(source.said_at)
        start, end = (moment.start, moment.end) if moment else (start, end)
    return Citation(source, start, end, source.content[start:end], value, _share(one.score))


def _said(
    asked: Asked, citations: Sequence[Citation], chosen: Sequence[Scored], asked_at: datetime
) -> str:
    if asked.kind == "ago":
        return _ago(asked, chosen[0], asked_at) or citations[0].value
    if asked.kind == "count":
        number = count_in(citations[0].text)
        return str(number) if number is not None else str(len(citations))
    values = dict.fromkeys(one.value.strip(" .,;:!?\"'") for one in citations)
    return ", ".join(value for value in values if value)


def _ago(asked: Asked, one: Scored, asked_at: datetime) -> str | None:
    source = one.reading.source
    if source.said_at is None:
        return None
    moment = moment_at(source.content, one.place.start, one.place.end, source.said_at)
    days = (asked_at.date() - (moment.first if moment else source.said_at).date()).days
    count = round(days / UNITS_D[asked.unit])
    return f"{count} {asked.unit if count != 1 else asked.unit[:-1]} ago"
