"""The times in a statement, resolved relative to the moment it was said."""

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
_DUE_BEFORE = re.compile(
    r"\b(?:due(?: back)?|deadline(?: is)?|expires?|no later than"
    r"|(?:at (?:the )?)?latest(?: by)?) $",
    re.IGNORECASE,
)
# The longest match of `_DUE_BEFORE`.
_LOOKBACK_CHARS = len("at the latest by ")
_LATEST_AFTER = re.compile(r",? at (?:the )?latest\b|,? latest\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class StatedTime:
    """A time in a text: `text[start:end]` expresses it; `words` are those without "on" or "by".

    It lasts from `first` to just before `last`; `due` is the last moment that is still in time.
    `relative`: it depends on the day of saying. `limit`: it is a deadline. `ahead`: something was
    moved to it or is meant for it. If not `certain`, it is one reading of several, or counted from
    an unknown day. `is_noted`: a note in any language names it, without a sentence."""

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
    is_noted: bool = False


def times_in(text: str, said_at: datetime) -> list[StatedTime]:
    """The times of a text from left to right, in the zone of `said_at`. Impossible dates are left
    out; misspelt days and months are recognised."""
    corrected = correct(text[:CHARS_LIMIT])
    ahead = looks_ahead(corrected.text)
    times: list[StatedTime] = []
    candidates = _all_times(corrected.text, said_at, ahead)
    for candidate in sorted(candidates, key=lambda candidate: (candidate.start, -candidate.end)):
        if not times or candidate.start >= times[-1].end:
            times.append(candidate)
    return (
        [_with_original_offsets(candidate, text, corrected) for candidate in times]
        if corrected.text != text
        else times
    )


def _with_original_offsets(time: StatedTime, text: str, corrected: Corrected) -> StatedTime:
    start, end = corrected.original_offset(time.start), corrected.original_offset(time.end)
    words_start = corrected.original_offset(time.end - len(time.words))
    return replace(time, start=start, end=end, words=text[words_start:end])


def whole_time(text: str, said_at: datetime) -> StatedTime | None:
    """The time that the whole text expresses; a day or month without a year is in the past."""
    for stated in _all_times(text, said_at, ahead=False):
        if stated.start == 0 and stated.end == len(text):
            return stated
    return None


def _all_times(text: str, said_at: datetime, ahead: bool | None) -> Iterator[StatedTime]:
    # "Dentist appointment Friday" means the coming Friday.
    is_event_note = ahead is None and notes_event(text)
    for expression in expressions_in(text):
        try:
            looks_forward = is_event_note and expression.kind == "weekday"
            days = resolve(expression, said_at.date(), True if looks_forward else ahead)
            if days:
                yield _build_stated_time(expression, days, said_at)
        except (ValueError, OverflowError):
            continue


def _build_stated_time(expression: Expression, days: Days, said_at: datetime) -> StatedTime:
    text, match, before = expression.text, expression.match, expression["before"]
    clock = clock_beside(text, match.start(), match.end()) if days.grain == "day" else None
    start, end = (clock.start, clock.end) if clock else match.span()
    first, last = _between(days, clock, said_at)
    return StatedTime(
        start=start,
        end=end,
        words=_without_preposition(text, match, start, end),
        first=first,
        last=last,
        due=_due(before, first, last),
        grain="moment" if clock else days.grain,
        relative=days.relative,
        limit=before in LIMITS or _is_limit(text, start, end),
        certain=days.certain,
        ahead=before in TOWARDS,
    )


def _is_limit(text: str, start: int, end: int) -> bool:
    """Whether it is a deadline: "no later than 3 May", "3 May at the latest"."""
    match = _DUE_BEFORE.search(text, max(0, start - _LOOKBACK_CHARS), start)
    return (match or _LATEST_AFTER.match(text, end)) is not None


def _due(before: str, first: datetime, last: datetime) -> datetime:
    if first == last:
        return first
    return (first if before == "before" else last) - timedelta(seconds=1)


def _between(days: Days, clock: Clock | None, said_at: datetime) -> tuple[datetime, datetime]:
    zone = said_at.tzinfo
    assert zone is not None, "moments are aware"
    if clock:
        at = cal.moment(days.days[0], clock.at, zone)
        return at, at
    midnight = time()
    return cal.moment(days.days[0], midnight, zone), cal.moment(days.days[1], midnight, zone)


def _without_preposition(text: str, match: re.Match[str], start: int, end: int) -> str:
    """The words without the preposition, unless a time of day comes before it."""
    words_start = match.end("before") + 1 if match["before"] and start == match.start() else start
    return text[words_start:end]
