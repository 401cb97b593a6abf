"""The times that a statement tells, resolved against the moment it was said at."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime, time, timedelta

from remem.core.language.times import calendar as cal
from remem.core.language.times.clock import Clock, clock_beside
from remem.core.language.times.grammar import Expression, expressions_in
from remem.core.language.times.reference import LIMITS, TOWARDS, Days, Grain
from remem.core.language.times.resolve import resolve
from remem.core.language.times.spelling import Corrected, correct
from remem.core.language.times.tense import looks_ahead, notes_event

CHARS_LIMIT = 4_000
_DUE = re.compile(
    r"\b(?:due(?: back)?|deadline(?: is)?|expires?|no later than"
    r"|(?:at (?:the )?)?latest(?: by)?) $",
    re.IGNORECASE,
)
# The longest of them.
_LOOK_BACK = len("at the latest by ")
_AT_THE_LATEST = re.compile(r",? at (?:the )?latest\b|,? latest\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class StatedTime:
    """A time in a text: `text[start:end]` tells it, `words` are those without "on" or "by".

    It lasts from `first` to just before `last`; `due` is the last moment that is still in time.
    `relative` is what only its own day explains; `limit` is a time by which, not at which; `ahead`
    is one that something was moved to, or is for. What is not `certain` is one reading of several,
    or counted from a day that is not given."""

    start: int
    end: int
    words: str
    first: datetime
    last: datetime
    due: datetime
    grain: Grain
    relative: bool
    limit: bool
    certain: bool
    ahead: bool = False


def times_in(text: str, said_at: datetime) -> list[StatedTime]:
    """From left to right, in the zone of `said_at`. What makes no date on a calendar is no time; a
    day or a month that is misspelt is one."""
    read = correct(text[:CHARS_LIMIT])
    ahead = looks_ahead(read.text)
    found: list[StatedTime] = []
    every = _all_times(read.text, said_at, ahead)
    for one in sorted(every, key=lambda time: (time.start, -time.end)):
        if not found or one.start >= found[-1].end:
            found.append(one)
    return [_as_written(one, text, read) for one in found] if read.text != text else found


def _as_written(time: StatedTime, text: str, read: Corrected) -> StatedTime:
    start, end = read.place(time.start), read.place(time.end)
    words_start = read.place(time.end - len(time.words))
    return replace(time, start=start, end=end, words=text[words_start:end])


def whole_time(text: str, said_at: datetime) -> StatedTime | None:
    """The time that the whole text tells; a day or month without a year lies in the past."""
    for stated in _all_times(text, said_at, ahead=False):
        if stated.start == 0 and stated.end == len(text):
            return stated
    return None


def _all_times(text: str, said_at: datetime, ahead: bool | None) -> Iterator[StatedTime]:
    # "Dentist appointment Friday" is the coming one.
    coming = ahead is None and notes_event(text)
    for expression in expressions_in(text):
        try:
            is_coming = coming and expression.kind == "weekday"
            days = resolve(expression, said_at.date(), True if is_coming else ahead)
            if days:
                yield _stated(expression, days, said_at)
        except (ValueError, OverflowError):
            continue


def _stated(expression: Expression, found: Days, said_at: datetime) -> StatedTime:
    text, match, before = expression.text, expression.match, expression["before"]
    clock = clock_beside(text, match.start(), match.end()) if found.grain == "day" else None
    start, end = (clock.start, clock.end) if clock else match.span()
    first, last = _between(found, clock, said_at)
    return StatedTime(
        start=start,
        end=end,
        words=_bare(text, match, start, end),
        first=first,
        last=last,
        due=_due(before, first, last),
        grain="moment" if clock else found.grain,
        relative=found.relative,
        limit=before in LIMITS or _is_limit(text, start, end),
        certain=found.certain,
        ahead=before in TOWARDS,
    )


def _is_limit(text: str, start: int, end: int) -> bool:
    """ "No later than 3 May", "3 May at the latest"."""
    said = _DUE.search(text, max(0, start - _LOOK_BACK), start)
    return (said or _AT_THE_LATEST.match(text, end)) is not None


def _due(before: str, first: datetime, last: datetime) -> datetime:
    if first == last:
        return first
    return (first if before == "before" else last) - timedelta(seconds=1)


def _between(found: Days, clock: Clock | None, said_at: datetime) -> tuple[datetime, datetime]:
    zone = said_at.tzinfo
    assert zone is not None, "moments are aware"
    if clock:
        at = cal.moment(found.days[0], clock.at, zone)
        return at, at
    midnight = time()
    return cal.moment(found.days[0], midnight, zone), cal.moment(found.days[1], midnight, zone)


def _bare(text: str, match: re.Match[str], start: int, end: int) -> str:
    """Without the word before it, unless the time of day stands before that."""
    named = match.end("before") + 1 if match["before"] and start == match.start() else start
    return text[named:end]
