"""Write the time in a statement as a date, relative to the day it was said; pure."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from remem.core.language.times.statements import StatedTime, times_in

# A time further than this from the answer span belongs to something else.
NEAR_CHARS = 200
WEEKEND_D, WEEK_D, FRIDAY = 2, 7, 4


@dataclass(frozen=True, slots=True)
class Moment:
    """A time, its range in the text, and how it is written."""

    start: int
    end: int
    first: datetime
    text: str


def moment_at(text: str, start: int, end: int, said_at: datetime | None) -> Moment | None:
    """The time in a range of the text, or the nearest one around it."""
    if said_at is None:
        return None
    times = times_in(text, said_at)
    inside = [stated for stated in times if stated.start < end and start < stated.end]
    near = [stated for stated in times if _distance(stated, start, end) <= NEAR_CHARS]
    stated = (
        inside[0]
        if inside
        else min(near, key=lambda time: _distance(time, start, end), default=None)
    )
    if stated is None:
        return None
    return Moment(stated.start, stated.end, stated.first, write_time(stated, said_at))


def write_time(stated: StatedTime, said_at: datetime) -> str:
    """Write a time as precisely as it was said: a day, a week, a month, a season or a year. "A few
    years ago" stays as it is. "Last week" becomes the week before the day of saying, because nobody
    says on which day a week begins."""
    if not stated.certain:
        return stated.words
    first, last = stated.first, stated.last - timedelta(seconds=1)
    days = (stated.last - stated.first).days
    if days <= 1:
        by_name = stated.relative and f"{first:%A}".lower() in stated.words.lower()
        return f"{first:%A} {on_day(first)}" if by_name else on_day(first)
    if _is_year(first, last):
        return f"{first.year}"
    if first.day == 1 and first.month == last.month and days >= 28:
        return f"{first:%B} {first.year}"
    is_weekend = days == WEEKEND_D and first.weekday() >= FRIDAY
    if not is_weekend and days != WEEK_D:
        return _between(first, last)
    name = "weekend" if is_weekend else "week"
    just_before = stated.relative and 0 <= (said_at - stated.last).days < WEEK_D
    return f"the {name} {f'before {on_day(said_at)}' if just_before else f'of {on_day(first)}'}"


def on_day(moment: datetime) -> str:
    return f"{moment.day} {moment:%B} {moment.year}"


def _is_year(first: datetime, last: datetime) -> bool:
    return (first.month, first.day, last.month, last.day) == (1, 1, 12, 31)


def _between(first: datetime, last: datetime) -> str:
    if (first.year, first.month) == (last.year, last.month):
        return f"{first.day} to {last.day} {last:%B} {last.year}"
    return f"{on_day(first)} to {on_day(last)}"


def _distance(stated: StatedTime, start: int, end: int) -> int:
    return max(stated.start - end, start - stated.end, 0)
