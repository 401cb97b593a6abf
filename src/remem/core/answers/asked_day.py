"""Check whether a sentence is about the day that a question about the past names; pure."""

import re
from collections.abc import Sequence
from datetime import date, datetime, timedelta

from remem.core.answers.model import Source
from remem.core.answers.sentences import SentenceSpan
from remem.core.language.times.statements import StatedTime, times_in

_PAST = re.compile(r"\b(?:did|was|were|had)\b", re.IGNORECASE)
# Fewer words are no question.
_MIN_WORDS = 3
_YEAR = re.compile(r"\b\d{4}\b")
# These words extend a statement to other days, some only before a time: "from Monday", but not
# "from the shop".
_EXTENDS = re.compile(r"\b(?:since|until|till|every|each|always)\b|\d ?[–-] ?\d", re.IGNORECASE)
_BEFORE_TIME = re.compile(
    r"\b(?:from|between|through|before|after|by)\s+(?:the\s+)?(?P<next>\S)", re.IGNORECASE
)


def day_in_question(question: str, asked_at: datetime) -> StatedTime | None:
    """The only day that a question about the past names; none for "before 3 May" and the like."""
    times = times_in(question, asked_at)
    if len(times) != 1 or times[0].last - times[0].first > timedelta(days=1):
        return None
    is_about_day = _PAST.search(question) and not _is_extended(question, times)
    return times[0] if is_about_day else None


def _is_extended(text: str, times: Sequence[StatedTime]) -> bool:
    """Whether it is about other days than those it names, too."""
    starts = {time.start for time in times}
    return _EXTENDS.search(text) is not None or any(
        match["next"].isdigit() or match.start("next") in starts
        for match in _BEFORE_TIME.finditer(text)
    )


def without_day(question: str, asked_at: datetime) -> str:
    """The question that is left to read; the day is checked with the time of each text, which a
    reader does not know."""
    day = day_in_question(question, asked_at)
    rest = f"{question[: day.start]}{question[day.end :]}".replace(" ?", "?") if day else question
    return " ".join(rest.split()) if len(rest.split()) >= _MIN_WORDS else question


def is_about_day(question: str, day: StatedTime, source: Source, sentence: SentenceSpan) -> bool:
    """Whether the sentence names the day or, without a time, was said on it. A day without a year
    is one of any year."""
    text = source.content[sentence.start : sentence.end]
    if source.said_at is None or _is_extended(text, times_in(text, source.said_at)):
        return True
    written = question[day.start : day.end]
    is_of_any_year = not _YEAR.search(written) and any(map(str.isdigit, written))
    spans = _days_of(source, sentence, text, source.said_at)
    asked = day.first.date()
    return any(_contains(first, last, asked, is_of_any_year) for first, last in spans)


def _days_of(
    source: Source, sentence: SentenceSpan, text: str, said_at: datetime
) -> Sequence[tuple[date, date]]:
    """The times of the sentence, or else the last one named before it, or else when it was said."""
    before = " ".join((source.title, *source.heading_path, source.content[: sentence.start]))
    times = times_in(text, said_at) or times_in(before, said_at)[-1:]
    happened_at = (source.happened_at or said_at).date()
    return [_days_in(time) for time in times] or [(happened_at, happened_at)]


def _days_in(time: StatedTime) -> tuple[date, date]:
    last = max(time.first, time.last - timedelta(microseconds=1))
    return time.first.date(), last.date()


def _contains(first: date, last: date, day: date, is_of_any_year: bool) -> bool:
    if is_of_any_year:
        return (first.month, first.day) <= (day.month, day.day) <= (last.month, last.day)
    return first <= day <= last
