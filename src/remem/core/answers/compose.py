"""Compose an answer from what was read, or state that there is none; pure."""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from remem.core.answers.abandoned import is_abandoned, without_abandoned
from remem.core.answers.amounts import asked_figure
from remem.core.answers.asked_day import day_in_question, is_about_day
from remem.core.answers.bare_hours import is_bare_hour
from remem.core.answers.earlier_state import (
    asks_for_earlier_state,
    earlier_state_only,
    without_before_words,
)
from remem.core.answers.fitting import (
    changed_value,
    complete_place,
    content_stems,
    describes_change,
    fits,
    is_about_opposite,
    is_of_other_use,
    whole_secret,
)
from remem.core.answers.joining import with_joined
from remem.core.answers.key_noun import is_of_other_label, lacks_kind, shares_only_number
from remem.core.answers.listed_things import listed_part
from remem.core.answers.model import Answer, Citation, Place, Reading
from remem.core.answers.other_times import names_another_time
from remem.core.answers.people import named_speakers, rephrase_for_user
from remem.core.answers.periods import Period, asked_end, period_at
from remem.core.answers.question_names import mentions_no_name, names_in_question
from remem.core.answers.questions import (
    QuestionType,
    ago_in_words,
    asks_for_now,
    is_usual,
    what_is_asked,
)
from remem.core.answers.scoring import (
    MIN_LOG_ODDS,
    ScoredPlace,
    certainty,
    odds_of,
    probability,
    score,
)
from remem.core.answers.sentences import SentenceSpan
from remem.core.answers.several import LIKELY_ODDS, count, gather
from remem.core.answers.stated import (
    asks_for_the_present,
    is_denied,
    is_present,
    is_question_in_note,
    is_stated,
    question_coverage,
    says_as_much,
    sentence_of,
)
from remem.core.answers.transfers import is_other_transfer
from remem.core.language.claims.verbs import is_present_tense
from remem.core.language.person import is_user
from remem.core.language.prose.markup import blank_emphasis
from remem.core.language.times.queries import windows_of
from remem.core.language.times.statements import StatedTime, times_in
from remem.core.language.times.wording import moment_at, on_day
from remem.core.language.words import words

# A denied or planned statement is skipped for a fact whose score is at most this much lower in a
# conversation, and whose place in the order is at most this much lower in notes.
MAX_SCORE_GAP, MAX_ORDER_GAP = 8.0, 2.0
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
    """`listed` are the readings for the things that a "how many" question counts."""
    question_type = what_is_asked(question)
    speakers = named_speakers(question, [reading.source for reading in readings])
    scored = rank_places(question, asked_at, readings)
    if question_type.kind == "count":
        return count(
            question,
            asked_at,
            scored,
            score(question, speakers, _about_asked_names(question, listed)),
        )
    if not scored:
        return Answer(question, question_type.kind, None, 0.0)
    day = day_in_question(question, asked_at)
    coverage = question_coverage(question, scored[0], question[day.start : day.end] if day else "")
    log_odds = certainty(scored, cover=coverage, named=bool(speakers))
    if question_type.kind == "list":
        best, citations = scored[0], gather(question, asked_at, scored)
    else:
        best = _best_stated(question, asked_at, scored, named=bool(speakers))
        citations = [_cite(question, question_type, best)]
    if question_type.kind == "one" and (is_denied(question, best) or is_abandoned(question, best)):
        citations = [_cite_sentence(best)]
    text = (
        _answer_text(question_type, citations, best, asked_at) if log_odds >= MIN_LOG_ODDS else None
    )
    return Answer(
        question,
        question_type.kind,
        text,
        probability(log_odds),
        tuple(citations),
        is_on_day=day is not None,
    )


def rank_places(
    question: str, asked_at: datetime, readings: Sequence[Reading]
) -> list[ScoredPlace]:
    """The places that may answer, best first."""
    speakers = named_speakers(question, [reading.source for reading in readings])
    about = _about_asked_names(question, readings)
    scored = score(question, speakers, about, windows_of(question, asked_at))
    return _candidates(question, asked_at, what_is_asked(question), scored)


def _about_asked_names(question: str, readings: Sequence[Reading]) -> list[Reading]:
    bare_question = without_before_words(question) if asks_for_earlier_state(question) else question
    names = names_in_question(bare_question)
    return [reading for reading in readings if not mentions_no_name(names, reading.source)]


def _candidates(
    question: str, asked_at: datetime, question_type: QuestionType, scored: Sequence[ScoredPlace]
) -> list[ScoredPlace]:
    """Candidates for the answer, best first."""
    stated = [candidate for candidate in scored if _is_relevant(question, candidate)]
    if day := day_in_question(question, asked_at):
        stated = [candidate for candidate in stated if _is_about_day(question, day, candidate)]
    stated = without_abandoned(question, stated)
    if asks_for_earlier_state(question):
        stated = earlier_state_only(question, stated)
    if question_type.kind == "when":
        stated = [candidate for candidate in stated if _has_time(candidate)]
    if question_type.kind == "ago":
        stated = [candidate for candidate in stated if not _is_ahead(candidate, asked_at)]
    stated = _present_first(question, asked_at, stated, asks_when=question_type.kind == "when")
    if question_type.kind in ("one", "list"):
        return [candidate for candidate in stated if _fits(question, candidate)]
    return stated


def _is_about_day(question: str, day: StatedTime, candidate: ScoredPlace) -> bool:
    return is_about_day(question, day, candidate.reading.source, sentence_of(candidate))


def _has_time(candidate: ScoredPlace) -> bool:
    """Statements in a conversation and statements about events refer to the day they were said. A
    note about a state has no time."""
    source, sentence = candidate.reading.source, sentence_of(candidate)
    if source.speaker or source.said_at is None:
        return True
    text = source.content[sentence.start : sentence.end]
    if times_in(text, source.said_at) or is_usual(text) or _DATED.search(text):
        return True
    if is_bare_hour(source.content, sentence, *candidate.place[:2]):
        return True
    return not is_present_tense(words(text))


def _cite_sentence(candidate: ScoredPlace) -> Citation:
    """Cite the full sentence: a part of it would say the opposite."""
    source, (start, end) = candidate.reading.source, sentence_of(candidate)
    text = source.content[start:end].strip()
    return Citation(source, start, end, text, text, probability(candidate.score))


def _fits(question: str, candidate: ScoredPlace) -> bool:
    """Whether the place fits the question; a requested figure may be elsewhere in its sentence."""
    source, sentence = candidate.reading.source, sentence_of(candidate)
    place = complete_place(source.content, candidate.place.start, candidate.place.end)
    text = blank_emphasis(source.content)[place.start : place.end].strip()
    is_dated = text.isdigit() and not _ASKS_DATE.search(question)
    if source.said_at and (is_dated or _ASKS_AGE.search(question)):
        times = times_in(source.content, source.said_at)
        if any(time.start <= place.start and place.end <= time.end for time in times):
            return False
    if _ASKS_WHERE.search(question) and _COMPANION.search(source.content, 0, place.start):
        return False
    return fits(question, text, source.content[sentence.start : sentence.end])


def by_one(answer: Answer, reading: Reading, sentence: SentenceSpan) -> Answer:
    """The answer based on a sentence of another text: the likeliest place in it, or all of it."""
    places = likely_places(reading, sentence)
    sentence_text = reading.source.content[sentence.start : sentence.end]
    if not places and not content_stems(answer.question) & content_stems(sentence_text):
        return answer
    best = max(places, key=odds_of, default=Place(*sentence, 0.5))
    citation = _cite(
        answer.question, what_is_asked(answer.question), ScoredPlace(reading, best, 0.0)
    )
    text = (citation.value if places or answer.kind == "when" else citation.text).strip(_EDGES)
    return replace(answer, text=text, citations=(replace(citation, confidence=1.0),))


def likely_places(reading: Reading, sentence: SentenceSpan) -> list[Place]:
    """The likely places within a sentence."""
    return [
        place
        for place in reading.places
        if sentence.start <= place.start
        and place.end <= sentence.end
        and odds_of(place) >= LIKELY_ODDS
    ]


def _best_stated(
    question: str, asked_at: datetime, scored: Sequence[ScoredPlace], *, named: bool
) -> ScoredPlace:
    """The first candidate that is stated as a fact, unless it answers much less well."""
    best = scored[0]
    near = (
        candidate
        for candidate in scored
        if (_is_near_in_talk(candidate, best) if named else _is_near_in_notes(candidate, best))
    )
    return next((candidate for candidate in near if is_stated(question, asked_at, candidate)), best)


def _is_near_in_talk(candidate: ScoredPlace, best: ScoredPlace) -> bool:
    is_same = candidate.reading.source.id == best.reading.source.id
    return is_same or candidate.score >= best.score - MAX_SCORE_GAP


def _is_near_in_notes(candidate: ScoredPlace, best: ScoredPlace) -> bool:
    return candidate.order >= best.order - MAX_ORDER_GAP


def _present_first(
    question: str, asked_at: datetime, scored: Sequence[ScoredPlace], *, asks_when: bool
) -> list[ScoredPlace]:
    """Rank a statement about the present before one about the past or future, if the question asks
    about the present and both say as much about it."""
    if not scored or not asks_for_the_present(question):
        return list(scored)
    if is_present(asked_at, scored[0], asks_when=asks_when):
        return list(scored)
    present = (
        candidate
        for candidate in scored
        if candidate.score >= LIKELY_ODDS
        and is_present(asked_at, candidate, asks_when=asks_when)
        and is_stated(question, asked_at, candidate)
    )
    chosen = next(
        (candidate for candidate in present if says_as_much(question, candidate, scored[0])), None
    )
    return (
        [chosen, *(candidate for candidate in scored if candidate is not chosen)]
        if chosen
        else list(scored)
    )


def _is_relevant(question: str, candidate: ScoredPlace) -> bool:
    """Not a question in a note, a statement about another thing, year, month or weekday, or an end
    where a beginning is asked for."""
    source, sentence = candidate.reading.source, sentence_of(candidate)
    text = source.content[sentence.start : sentence.end]
    if is_question_in_note(candidate) or is_about_opposite(question, text):
        return False
    if is_of_other_use(question, text) or shares_only_number(question, text):
        return False
    before = (*source.heading_path, source.title, source.content[: sentence.start])
    # What people say to each other is understood with what was said before.
    if is_user(source.speaker) and lacks_kind(question, text, " ".join(before)):
        return False
    if is_of_other_label(question, text, " ".join((*source.heading_path, source.title))):
        return False
    place = source.content[candidate.place.start : candidate.place.end]
    if is_user(source.speaker) and is_other_transfer(question, text, place):
        return False
    return not names_another_time(question, text, source.said_at)


def _cite(question: str, question_type: QuestionType, candidate: ScoredPlace) -> Citation:
    source = candidate.reading.source
    span = (
        with_joined(candidate.reading, candidate.place)
        if question_type.kind == "one"
        else candidate.place[:2]
    )
    place = complete_place(source.content, *span)
    sentence = sentence_of(candidate)
    # The places in a list are only those of the asked thing.
    if question_type.kind == "one" and not listed_part(question, source.content, sentence):
        place = asked_figure(question, source.content, sentence, place)
    place = whole_secret(question, source.content, place)
    start, end = changed_value(source.content, place, now=asks_for_now(question))
    value = source.content[start:end]
    if question_type.usual and (is_usual(value) or _is_habit(candidate, value)):
        value = _add_day(question, candidate, value)
        return Citation(
            source, start, end, source.content[start:end], value, probability(candidate.score)
        )
    if question_type.kind == "one":
        value = rephrase_for_user(value, source.speaker)
    if question_type.kind == "when" and (period := _period_of(candidate, start, end)):
        start, end, value = *period.span, asked_end(question, period)
    elif question_type.kind in ("when", "ago") and source.said_at:
        moment = moment_at(source.content, start, end, source.said_at)
        day = source.happened_at or source.said_at
        value = moment.text if moment else value if question_type.usual else on_day(day)
        start, end = (moment.start, moment.end) if moment else (start, end)
    return Citation(
        source, start, end, source.content[start:end], value, probability(candidate.score)
    )


def _is_habit(candidate: ScoredPlace, value: str) -> bool:
    """ "Bin day is Wednesday since May" means every week, whenever it was said."""
    source, sentence = candidate.reading.source, sentence_of(candidate)
    text = source.content[sentence.start : sentence.end]
    return bool(_WEEKDAY.search(value) and _HABIT.search(text)) and not source.speaker


def _period_of(candidate: ScoredPlace, start: int, end: int) -> Period | None:
    """The period that contains the place; none for something moved from one day to another."""
    source, sentence = candidate.reading.source, sentence_of(candidate)
    if describes_change(source.content[sentence.start : sentence.end]):
        return None
    period = period_at(source.content, sentence, source.said_at)
    return period if period and period.span.start < end and start < period.span.end else None


def _add_day(question: str, candidate: ScoredPlace, value: str) -> str:
    """ "24 November 2026 at 14:15", if only the time was read and the day is next to it."""
    if not _CLOCK.match(value) or _ASKS_CLOCK.search(question):
        return value
    source, sentence = candidate.reading.source, sentence_of(candidate)
    at = source.content.find(value, candidate.place.start - len(value))
    if weekday := _WEEKDAY_BEFORE.search(source.content[max(0, at - WEEKDAY_CHARS) : at]):
        return f"{weekday['day']} at {value.removeprefix('at ')}"
    if source.said_at is None:
        return value
    text = source.content[sentence.start : sentence.end]
    days = [time for time in times_in(text, source.said_at) if time.certain]
    return f"{on_day(days[0].first)} at {value.removeprefix('at ')}" if len(days) == 1 else value


def _answer_text(
    question_type: QuestionType,
    citations: Sequence[Citation],
    best: ScoredPlace,
    asked_at: datetime,
) -> str | None:
    if question_type.kind == "ago":
        return _ago_text(question_type, best, asked_at) or citations[0].value
    values = dict.fromkeys(citation.value.strip(_EDGES) for citation in citations)
    return ", ".join(value for value in values if value) or None


def _ago_text(
    question_type: QuestionType, candidate: ScoredPlace, asked_at: datetime
) -> str | None:
    day = _day_of(candidate)
    return ago_in_words(question_type, day, asked_at) if day else None


def _day_of(candidate: ScoredPlace) -> datetime | None:
    source = candidate.reading.source
    if source.said_at is None:
        return None
    moment = moment_at(source.content, candidate.place.start, candidate.place.end, source.said_at)
    return moment.first if moment else source.happened_at or source.said_at


def _is_ahead(candidate: ScoredPlace, asked_at: datetime) -> bool:
    day = _day_of(candidate)
    return day is not None and day.date() > asked_at.date()
