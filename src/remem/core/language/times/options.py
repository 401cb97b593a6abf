"""Read one written time, such as an option of a command: "last week", "3 days ago", 2024-05-01."""

import re
from datetime import UTC, date, datetime, time, timedelta
from typing import TypeAlias

from remem.core.language.numbers import read_count
from remem.core.language.times import calendar as cal
from remem.core.language.times.counted import shift_day
from remem.core.language.times.grammar import Expression, expressions_in
from remem.core.language.times.statements import whole_time

Span: TypeAlias = tuple[datetime, datetime]

_CHARS_LIMIT = 100
_CLOCK_UNITS_S = {"minute": 60, "hour": 3_600}
_BACK = frozenset({"last", "past"})
_MONTH = re.compile(r"(?P<year>\d{4})-(?P<month>\d\d)")


def read_span(text: str, now: datetime) -> Span | None:
    """From the first moment to just before the last, in the zone of `now`; the same moment twice
    for a time of day, and None for what is no time. A bare "Friday" or "May" is the last one."""
    text = " ".join(text.split())
    if not text or len(text) > _CHARS_LIMIT:
        return None
    try:
        return _moment(text, now) or _month(text, now) or _counted(text, now) or _named(text, now)
    except (ValueError, OverflowError):
        return None


def _moment(text: str, now: datetime) -> Span | None:
    """ISO 8601 with a time of day; a date alone is a whole day and read by its name."""
    if text.lower() == "now":
        return now, now
    if len(text) <= len("2024-05-01") or not text[:4].isdigit():
        return None
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    moment = moment if moment.tzinfo else moment.replace(tzinfo=now.tzinfo)
    return moment, moment


def _month(text: str, now: datetime) -> Span | None:
    if found := _MONTH.fullmatch(text):
        return _days(cal.month_of(date(int(found["year"]), int(found["month"]), 1)), now)
    return None


def _counted(text: str, now: datetime) -> Span | None:
    """So many hours, days or months ago, in so many, or the last so many."""
    for found in expressions_in(text):
        if (found.start, found.end) != (0, len(text)) or not _is_counted(found):
            continue
        moment = _shifted(found, now, 1 if found.kind == "ahead" else -1)
        if found.kind == "stretch":
            return moment, now
        is_clock = found["unit"] in _CLOCK_UNITS_S
        return (moment, moment) if is_clock else _days(cal.one_day(moment.date()), now)
    return None


def _is_counted(found: Expression) -> bool:
    back = found.kind == "stretch" and bool(found["count"]) and found["which"] in _BACK
    return found.kind in ("ago", "ahead") or back


def _shifted(found: Expression, now: datetime, way: int) -> datetime:
    """So many hours on or back to the second, or so many days to midnight."""
    count, unit = read_count(found["count"])[0], found["unit"]
    if unit in _CLOCK_UNITS_S:
        elapsed = timedelta(seconds=way * count * _CLOCK_UNITS_S[unit])
        return (now.astimezone(UTC) + elapsed).astimezone(now.tzinfo)
    return _days(cal.one_day(shift_day(now.date(), way * count, unit)), now)[0]


def _named(text: str, now: datetime) -> Span | None:
    """By the expressions that statements are read by."""
    found = whole_time(text, now) or whole_time(f"since {text}", now)
    return (found.first, found.last) if found else None


def _days(days: cal.Days, now: datetime) -> Span:
    zone = now.tzinfo
    assert zone is not None, "moments are aware"
    return cal.moment(days[0], time(), zone), cal.moment(days[1], time(), zone)
