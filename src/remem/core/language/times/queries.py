"""The time windows a query refers to."""

import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import TypeAlias

from remem.core.language.numbers import read_count
from remem.core.language.times import calendar as cal
from remem.core.language.times.grammar import Expression, Kind, expressions_in

Window: TypeAlias = tuple[datetime, datetime]

CHARS_LIMIT = 1_000
# People mention events for some days after they happened.
SAID_LATER_D = 7
# A month or day without a year may be in any of this many past years.
YEARS_BACK = 3
# A day inside the range of `datetime`, so that they exist in every time zone.
EARLIEST, LATEST = datetime(1, 1, 2, tzinfo=UTC), datetime(9999, 12, 30, tzinfo=UTC)
# Margins before and after the day, in days: a date, "last Friday", "yesterday", "today".
_DATE_MARGIN_D, _WEEKDAY_MARGIN_D = (1, SAID_LATER_D), (0.5, 3)
_YESTERDAY_MARGIN_D, _TODAY_MARGIN_D = (0.5, 1), (0.2, 0.2)
# The margin of "two weeks ago": a day, a share of the distance, or half the unit, whichever is
# largest.
_AGO_MARGIN_D, _AGO_MARGIN_SHARE, _AGO_MARGIN_UNITS = 1.0, 0.15, 0.5

_UNIT_D = {"day": 1.0, "week": 7.0, "month": 30.4, "year": 365.2, "weekend": 4.0, "night": 1.0}
# "Last week" may be up to two weeks ago.
_TWO_UNIT_REACH = frozenset({"week", "month", "year"})
_BACK = frozenset({"last", "past", "this past"})
_BEFORE_MONTHS = frozenset("in since during last of early late mid until till".split())
_YESTERDAY = {"yesterday": 1, "the day before yesterday": 2}
_TODAY = frozenset({"today", "tonight"})
# Any four-digit year counts in a query.
_FAR_YEAR = re.compile(r",? (\d{4})\b", re.A)
_YEARS_BEFORE = frozenset("in during of since throughout year".split())
_ASKS_WHEN = re.compile(
    r"^\W*(?:(?:and|so|but|do you (?:know|remember)|can you (?:tell|remind) me|tell me|remind me)"
    r"\W+)?(?:when|how long|since when|(?:(?:in|on|during|at) )?(?:what|which)"
    r" (?:date|day|month|year|week|time))\b",
    re.I | re.A,
)


def asks_when(query: str) -> bool:
    return _ASKS_WHEN.search(query) is not None


def windows_of(query: str, now: datetime) -> list[Window]:
    """The windows of a query, with some margin because people are not exact; [] when it names no
    time."""
    expressions = list(expressions_in(query[:CHARS_LIMIT]))
    dates = _without_overlaps(
        [expression for expression in expressions if expression.kind in ("date", "numeric")]
    )
    date_windows = [
        window for expression in dates for window in _DATE_READERS[expression.kind](expression, now)
    ]
    relative_windows = [
        window
        for expression in expressions
        if expression.kind in _RELATIVE_READERS
        for window in _RELATIVE_READERS[expression.kind](expression, now)
    ]
    return [*(date_windows or _years(expressions, now)), *relative_windows]


def _without_overlaps(expressions: list[Expression]) -> list[Expression]:
    """Without overlaps: the first of overlapping expressions, and the longest of those that start
    together."""
    result: list[Expression] = []
    for expression in sorted(
        expressions, key=lambda expression: (expression.start, -expression.end)
    ):
        if not result or expression.start >= result[-1].end:
            result.append(expression)
    return result


def _window(start: datetime, days: float, margins: tuple[float, float]) -> Window:
    before, after = margins
    return _shifted(start, -before), _shifted(start, days + after)


def _shifted(moment: datetime, days: float) -> datetime:
    """Shift a moment by days, clamped to the range of `datetime`."""
    try:
        return min(max(moment + timedelta(days=days), EARLIEST), LATEST)
    except OverflowError:
        return EARLIEST if days < 0 else LATEST


def _midnight(now: datetime) -> datetime:
    return now.replace(hour=0, minute=0, second=0, microsecond=0)


def _on(now: datetime, year: int, month: int, day: int) -> datetime | None:
    try:
        return _midnight(now).replace(year=year, month=month, day=day)
    except ValueError:
        return None


def _numeric(expression: Expression, now: datetime) -> Iterator[Window]:
    if not expression["iso"]:
        return
    year, month, day = map(int, expression["iso"].split("-"))
    if start := _on(now, year, month, day):
        yield _window(start, 1, _DATE_MARGIN_D)


def _date(expression: Expression, now: datetime) -> Iterator[Window]:
    far = _FAR_YEAR.match(expression.text, expression.end)
    day, year = expression["day"], far[1] if far else expression["year"]
    if not (day or year or _is_month(expression)):
        return
    month = cal.MONTHS[expression["month"]]
    for candidate in [int(year)] if year else range(now.year - YEARS_BACK, now.year + 1):
        if start := _on(now, candidate, month, int(day or 1)):
            margins = _DATE_MARGIN_D if day else (0, SAID_LATER_D)
            yield _window(start, 1 if day else 31, margins)


def _is_month(expression: Expression) -> bool:
    """Whether the word is a month. "May" and "march" are months only after a word such as "in"."""
    if expression["month"] not in cal.ALSO_WORDS:
        return True
    start = expression.match.start("month")
    preceding = expression.text[:start].split()
    return (
        expression.text[start].isupper()
        and bool(preceding)
        and preceding[-1].lower() in _BEFORE_MONTHS
    )


def _years(expressions: list[Expression], now: datetime) -> Iterator[Window]:
    for expression in expressions:
        if expression.kind == "year" and expression["before"] in _YEARS_BEFORE:
            start = _on(now, int(expression["year"]), 1, 1)
            yield from [_window(start, 366, (0, SAID_LATER_D))] if start else []


def _ago(expression: Expression, now: datetime) -> Iterator[Window]:
    unit = expression["unit"]
    if unit not in _UNIT_D:
        return
    distance = read_count(expression["count"])[0] * _UNIT_D[unit]
    half_unit = _AGO_MARGIN_UNITS * _UNIT_D[unit] if unit != "day" else 0.0
    margin = max(_AGO_MARGIN_D, _AGO_MARGIN_SHARE * distance, half_unit)
    yield _window(_shifted(_midnight(now), -distance), 1, (margin, margin))


def _past(expression: Expression, now: datetime) -> Iterator[Window]:
    """The window of "last week" or "these three months": from then until now."""
    which, unit, count = (
        expression["which"].removesuffix(" past"),
        expression["unit"],
        expression["count"],
    )
    if unit not in _UNIT_D or which in ("next", "coming"):
        return
    reach = _UNIT_D[unit] * (read_count(count)[0] if count else 1)
    if not count and which in ("last", "previous") and unit in _TWO_UNIT_REACH:
        reach *= 2
    yield _shifted(_midnight(now), -reach - 1), _shifted(now, 1)


def _weekday(expression: Expression, now: datetime) -> Iterator[Window]:
    if expression["which"] in _BACK:
        today = _midnight(now)
        back = (today.weekday() - cal.WEEKDAYS[expression["weekday"]]) % 7 or 7
        yield _window(_shifted(today, -back), 1, _WEEKDAY_MARGIN_D)


def _near_day(expression: Expression, now: datetime) -> Iterator[Window]:
    if back := _YESTERDAY.get(expression["near"]):
        yield _window(_shifted(_midnight(now), -back), 1, _YESTERDAY_MARGIN_D)
    elif expression["near"] in _TODAY:
        yield _window(_midnight(now), 1, _TODAY_MARGIN_D)


def _part_of_day(expression: Expression, now: datetime) -> Iterator[Window]:
    if expression["which"] == "this":
        yield _window(_midnight(now), 1, _TODAY_MARGIN_D)
    elif expression["part"] == "night":
        yield _window(_shifted(_midnight(now), -1), 1, _YESTERDAY_MARGIN_D)


_Reader: TypeAlias = Callable[[Expression, datetime], Iterator[Window]]
_DATE_READERS: dict[Kind, _Reader] = {"date": _date, "numeric": _numeric}
_RELATIVE_READERS: dict[Kind, _Reader] = {
    "ago": _ago,
    "stretch": _past,
    "weekday": _weekday,
    "near_day": _near_day,
    "part_of_day": _part_of_day,
}
