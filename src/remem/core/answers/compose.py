"""Make an answer of what was read, or say that there is none; pure."""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from remem.core.answers.amounts import asked_figure
from remem.core.answers.asked_names import names_asked, names_none
from remem.core.answers.before import as_before, asks_for_before, without_before
from remem.core.answers.fitting import (
    after_change,
    content_stems,
    fits,
    is_of_opposite,
    tells_of_change,
    whole_place,
)
from remem.core.answers.given_up import is_given_up, without_given_up
from remem.core.answers.joining import with_joined
from remem.core.answers.model import Answer, Citation, Place, Reading
from remem.core.answers.other_times import is_of_another_time
from remem.core.answers.people import as_told, named_speakers
from remem.core.answers.periods import Period, period_at, said_of
from remem.core.answers.questions import (
    Asked,
    ago_in_words,
    asks_for_now,
    is_usual,
    what_is_asked,
)
from remem.core.answers.scoring import Scored, certainty, odds_of, probability, score
from remem.core.answers.sentences import SentenceSpan
from remem.core.answers.several import LIKELY_ODDS, count, gather
from remem.core.answers.stated import (
    asks_for_the_present,
    cover_of,
    is_asked_in_a_note,
    is_denied,
    is_present,
    is_stated,
    says_as_much,
    sentence_of,
)
from remem.core.language.claims.verbs import tells_how_it_is
from remem.core.language.times.queries import windows_of
from remem.core.language.times.statements import times_in
from remem.core.language.times.wording import moment_at, on_day
from remem.core.language.words import words

# How sure it must be; 0 is where six of seven answerable questions are answered.
LEAST = 0.0
# What is denied or only planned is passed over for a fact that is not further behind than this.
FAR_BEHIND = 8.0
_EDGES = " .,;:!?\"'"
_CLOCK = re.compile(r"^(?:at )?\d{1,2}(?:[:.]\d\d)?(?: ?(?:am|pm))?$", re.IGNORECASE)
_ASKS_DATE = re.compile(r"\b(?:year|day|date|old|born|since|until|long)\b", re.IGNORECASE)
_ASKS_AGE = re.compile(r"\bhow old\b", re.IGNORECASE)
_WEEKDAY_BEFORE = re.compile(
    r"(?P<day>(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days) (?:at )?$", re.IGNORECASE
)
WEEKDAY_CHARS = 16
_WEEKDAY = re.compile(r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)day", re.IGNORECASE)
_HABIT = re.compile(
    r"\b(?:every|each|weekly|monthly|usually|normally|always|regularly|since|from now on"
    r"|day is (?:mon|tues|wednes|thurs|fri|satur|sun)day)\b",
    re.IGNORECASE,
)
_ASKS_WHERE = re.compile(r"^\W{0,5}where\b", re.IGNORECASE)
_COMPANION = re.compile(r"\bwith (?:my |our )?$")
_DATED = re.compile(r"\d[./:-]\d|\b(?:19|20)\d\d\b")
_ASKS_CLOCK = re.compile(r"\bwhat time\b", re.IGNORECASE)


def compose(
    question: str,
    asked_at: datetime,
    readings: Sequence[Reading],
    listed: Sequence[Reading] = (),
) -> Answer:
    """`listed` is what was read for the things that a "how many" counts."""
    asked = what_is_asked(question)
    named = named_speakers(question, [reading.source for reading in readings])
    windows = windows_of(question, asked_at)
    scored = score(named, _about(question, readings), windows)
    scored = _candidates(question, asked_at, asked, scored)
    if asked.kind == "count":
        return count(question, asked_at, scored, score(named, _about(question, listed)))
    if not scored:
        return Answer(question, asked.kind, None, 0.0)
    sure = certainty(scored, cover=cover_of(question, scored[0]), named=bool(named))
    if asked.kind == "list":
        best, citations = scored[0], gather(question, asked_at, scored)
    else:
        best = _best(question, asked_at, scored)
        citations = [_cited(question, asked, best)]
    if asked.kind == "one" and (is_denied(question, best) or is_given_up(question, best)):
        citations = [_whole(best)]
    text = _said(asked, citations, best, asked_at) if sure >= LEAST else None
    return Answer(question, asked.kind, text, probability(sure), tuple(citations))


def _about(question: str, readings: Sequence[Reading]) -> list[Reading]:
    of_whom = without_before(question) if asks_for_before(question) else question
    names = names_asked(of_whom)
    return [one for one in readings if not names_none(names, one.source)]


def _candidates(
    question: str, asked_at: datetime, asked: Asked, scored: Sequence[Scored]
) -> list[Scored]:
    """Those that can be what is asked for, best first."""
    stated = [one for one in scored if _may_state(question, one)]
    stated = without_given_up(question, stated)
    if asks_for_before(question):
        stated = as_before(question, stated)
    if asked.kind == "when":
        stated = [one for one in stated if _has_a_time(one)]
    stated = _present_first(question, asked_at, stated, asks_when=asked.kind == "when")
    if asked.kind in ("one", "list"):
        return [one for one in stated if _fits(question, one)]
    return stated


def _has_a_time(one: Scored) -> bool:
    """What is said in a talk, or tells of something that happened, is of the day it was said on; a
    note of how something is tells no time."""
    source, sentence = one.reading.source, sentence_of(one)
    if source.speaker or source.said_at is None:
        return True
    said = source.content[sentence.start : sentence.end]
    if times_in(said, source.said_at) or is_usual(said) or _DATED.search(said):
        return True
    return not tells_how_it_is(words(said))


def _whole(one: Scored) -> Citation:
    """The sentence as it stands: a part of it would say the opposite."""
    source, (start, end) = one.reading.source, sentence_of(one)
    text = source.content[start:end].strip()
    return Citation(source, start, end, text, text, probability(one.score))


def _fits(question: str, one: Scored) -> bool:
    """A figure that is wanted may stand beside the place that was read, in its sentence."""
    source, sentence = one.reading.source, sentence_of(one)
    place = whole_place(source.content, one.place.start, one.place.end)
    text = source.content[place.start : place.end]
    is_dated = text.isdigit() and not _ASKS_DATE.search(question)
    if source.said_at and (is_dated or _ASKS_AGE.search(question)):
        times = times_in(source.content, source.said_at)
        if any(time.start <= place.start and place.end <= time.end for time in times):
            return False
    if _ASKS_WHERE.search(question) and _COMPANION.search(source.content, 0, place.start):
        return False
    return fits(question, text, source.content[sentence.start : sentence.end])


def by_one(answer: Answer, reading: Reading, sentence: SentenceSpan) -> Answer:
    """The same answer by the sentence of another text: the likeliest place in it, or all of it."""
    inside = likely_places(reading, sentence)
    said = reading.source.content[sentence.start : sentence.end]
    if not inside and not content_stems(answer.question) & content_stems(said):
        return answer
    best = max(inside, key=odds_of, default=Place(*sentence, 0.5))
    cited = _cited(answer.question, what_is_asked(answer.question), Scored(reading, best, 0.0))
    text = (cited.value if inside or answer.kind == "when" else cited.text).strip(_EDGES)
    return replace(answer, text=text, citations=(replace(cited, confidence=1.0),))


def likely_places(reading: Reading, sentence: SentenceSpan) -> list[Place]:
    """Those that were read in a sentence."""
    return [
        place
        for place in reading.places
        if sentence.start <= place.start
        and place.end <= sentence.end
        and odds_of(place) >= LIKELY_ODDS
    ]


def _best(question: str, asked_at: datetime, scored: Sequence[Scored]) -> Scored:
    """The first that is stated as a fact, unless it is far behind."""
    best = scored[0]
    near = (
        one
        for one in scored
        if one.score >= best.score - FAR_BEHIND or one.reading.source.id == best.reading.source.id
    )
    return next((one for one in near if is_stated(question, asked_at, one)), best)


def _present_first(
    question: str, asked_at: datetime, scored: Sequence[Scored], *, asks_when: bool
) -> list[Scored]:
    """How something is goes before how it was or will be, where that is not asked for and both
    say the same of it."""
    if not scored or not asks_for_the_present(question):
        return list(scored)
    if is_present(asked_at, scored[0], asks_when=asks_when):
        return list(scored)
    present = (
        one
        for one in scored
        if one.score >= LIKELY_ODDS
        and is_present(asked_at, one, asks_when=asks_when)
        and is_stated(question, asked_at, one)
    )
    found = next((one for one in present if says_as_much(question, one, scored[0])), None)
    return [found, *(one for one in scored if one is not found)] if found else list(scored)


def _may_state(question: str, one: Scored) -> bool:
    """No question that was noted, nothing of another year, month or day of the week, and no end
    where a beginning is asked for."""
    source, sentence = one.reading.source, sentence_of(one)
    text = source.content[sentence.start : sentence.end]
    if is_asked_in_a_note(one) or is_of_opposite(question, text):
        return False
    return not is_of_another_time(question, text, source.said_at)


def _cited(question: str, asked: Asked, one: Scored) -> Citation:
    source = one.reading.source
    whole = with_joined(one.reading, one.place) if asked.kind == "one" else one.place[:2]
    place = whole_place(source.content, *whole)
    if asked.kind == "one":
        place = asked_figure(question, source.content, sentence_of(one), place)
    start, end = after_change(source.content, place, now=asks_for_now(question))
    value = source.content[start:end]
    if asked.usual and (is_usual(value) or _is_habit(one, value)):
        value = _with_day(question, one, value)
        return Citation(
            source, start, end, source.content[start:end], value, probability(one.score)
        )
    if asked.kind == "one":
        value = as_told(value, source.speaker)
    if asked.kind == "when" and (period := _period(one, start, end)):
        start, end, value = *period.span, said_of(question, period)
    elif asked.kind in ("when", "ago") and source.said_at:
        moment = moment_at(source.content, start, end, source.said_at)
        day = source.happened_at or source.said_at
        value = moment.text if moment else value if asked.usual else on_day(day)
        start, end = (moment.start, moment.end) if moment else (start, end)
    return Citation(source, start, end, source.content[start:end], value, probability(one.score))


def _is_habit(one: Scored, value: str) -> bool:
    """ "Bin day is Wednesday since May": every week, whatever the day of saying."""
    source, sentence = one.reading.source, sentence_of(one)
    text = source.content[sentence.start : sentence.end]
    return bool(_WEEKDAY.search(value) and _HABIT.search(text)) and not source.speaker


def _period(one: Scored, start: int, end: int) -> Period | None:
    """That which the place is in; what was moved from one day to another has none."""
    source, sentence = one.reading.source, sentence_of(one)
    if tells_of_change(source.content[sentence.start : sentence.end]):
        return None
    found = period_at(source.content, sentence, source.said_at)
    return found if found and found.span.start < end and start < found.span.end else None


def _with_day(question: str, one: Scored, value: str) -> str:
    """ "24 November 2026 at 14:15", where only the time was read and the day stands beside it."""
    if not _CLOCK.match(value) or _ASKS_CLOCK.search(question):
        return value
    source, sentence = one.reading.source, sentence_of(one)
    at = source.content.find(value, one.place.start - len(value))
    if weekday := _WEEKDAY_BEFORE.search(source.content[max(0, at - WEEKDAY_CHARS) : at]):
        return f"{weekday['day']} at {value.removeprefix('at ')}"
    if source.said_at is None:
        return value
    text = source.content[sentence.start : sentence.end]
    days = [time for time in times_in(text, source.said_at) if time.certain]
    return f"{on_day(days[0].first)} at {value.removeprefix('at ')}" if len(days) == 1 else value


def _said(
    asked: Asked, citations: Sequence[Citation], best: Scored, asked_at: datetime
) -> str | None:
    if asked.kind == "ago":
        return _ago(asked, best, asked_at) or citations[0].value
    values = dict.fromkeys(one.value.strip(_EDGES) for one in citations)
    return ", ".join(value for value in values if value) or None


def _ago(asked: Asked, one: Scored, asked_at: datetime) -> str | None:
    source = one.reading.source
    if source.said_at is None:
        return None
    moment = moment_at(source.content, one.place.start, one.place.end, source.said_at)
    day = moment.first if moment else source.happened_at or source.said_at
    return ago_in_words(asked, day, asked_at)
