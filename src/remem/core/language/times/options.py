"""Parse a single time, such as a command option: "last week", "3 days ago", 2024-05-01."""

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
    """Parse a time as (first, last), where `last` is exclusive, in the zone of `now`. A time of day
    returns the same moment twice; a text that is no time returns None. A bare "Friday" or "May" is
    the last one."""
    text = " ".join(text.split())
    if not text or len(text) > _CHARS_LIMIT:
        return None
    try:
        return _moment(text, now) or _month(text, now) or _counted(text, now) or _named(text, now)
    except (ValueError, OverflowError):
        return None


def _moment(text: str, now: datetime) -> Span | None:
    """Parse ISO 8601 with a time of day. A date alone is a whole day and is parsed by `_named`."""
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
    if match := _MONTH.fullmatch(text):
        return _days(cal.month_of(date(int(match["year"]), int(match["month"]), 1)), now)
    return None


def _counted(text: str, now: datetime) -> Span | None:
    """Parse "3 hours ago", "in 2 days" or "the last 5 months"."""
    for expression in expressions_in(text):
        if (expression.start, expression.end) != (0, len(text)) or not _is_counted(expression):
            continue
        moment = _shifted(expression, now, 1 if expression.kind == "ahead" else -1)
        if expression.kind == "stretch":
            return moment, now
        is_clock = expression["unit"] in _CLOCK_UNITS_S
        return (moment, moment) if is_clock else _days(cal.one_day(moment.date()), now)
    return None


def _is_counted(expression: Expression) -> bool:
    is_last_count = (
        expression.kind == "stretch" and bool(expression["count"]) and expression["which"] in _BACK
    )
    return expression.kind in ("ago", "ahead") or is_last_count


def _shifted(expression: Expression, now: datetime, direction: int) -> datetime:
    """Shift `now` by hours exactly, or by days to midnight."""
    count, unit = read_count(expression["count"])[0], expression["unit"]
    if unit in _CLOCK_UNITS_S:
        elapsed = timedelta(seconds=direction * count * _CLOCK_UNITS_S[unit])
        return (now.astimezone(UTC) + elapsed).astimezone(now.tzinfo)
    return _days(cal.one_day(shift_day(now.date(), direction * count, unit)), now)[0]


def _named(text: str, now: datetime) -> Span | None:
    """Parse the expressions used in statements."""
    stated = whole_time(text, now) or whole_time(f"since {text}", now)
    return (stated.first, stated.last) if stated else None


def _days(days: cal.Days, now: datetime) -> Span:
    zone = now.tzinfo
    assert zone is not None, "moments are aware"
    return cal.moment(days[0], time(), zone), cal.moment(days[1], time(), zone)
