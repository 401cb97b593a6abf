"""The stretches of time that a query speaks of."""

import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import TypeAlias

from remem.core.language.numbers import read_count
from remem.core.language.times import calendar as cal
from remem.core.language.times.grammar import Expression, Kind, expressions_in

Window: TypeAlias = tuple[datetime, datetime]

CHARS_LIMIT = 1_000
# People tell of things for some days after they happened.
SAID_LATER_D = 7
# A month or day without a year may be of any of these years.
YEARS_BACK = 3
# A day inside the calendar, so that any time zone can tell them.
EARLIEST, LATEST = datetime(1, 1, 2, tzinfo=UTC), datetime(9999, 12, 30, tzinfo=UTC)
# Days before and behind the day that is meant: a date, "last Friday", "yesterday", "today".
_AROUND_DATE_D, _AROUND_WEEKDAY_D = (1, SAID_LATER_D), (0.5, 3)
_AROUND_YESTERDAY_D, _AROUND_TODAY_D = (0.5, 1), (0.2, 0.2)
# How inexact "two weeks ago" is: by a day, a share of it, or half the unit, whichever is most.
_AGO_MARGIN_D, _AGO_MARGIN_SHARE, _AGO_MARGIN_UNITS = 1.0, 0.15, 0.5

_UNIT_D = {"day": 1.0, "week": 7.0, "month": 30.4, "year": 365.2, "weekend": 4.0, "night": 1.0}
# Last week reaches up to two weeks back.
_REACH_TWICE = frozenset({"week", "month", "year"})
_BACK = frozenset({"last", "past", "this past"})
_BEFORE_MONTHS = frozenset("in since during last of early late mid until till".split())
_YESTERDAY = {"yesterday": 1, "the day before yesterday": 2}
_TODAY = frozenset({"today", "tonight"})
# A year that no statement is about is one all the same.
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
    """Each with some margin, for people are not exact; [] when the query names no time."""
    found = list(expressions_in(query[:CHARS_LIMIT]))
    dates = _longest([one for one in found if one.kind in ("date", "numeric")])
    dated = [window for one in dates for window in _DATED[one.kind](one, now)]
    near = [window for one in found if one.kind in _NEAR for window in _NEAR[one.kind](one, now)]
    return [*(dated or _years(found, now)), *near]


def _longest(found: list[Expression]) -> list[Expression]:
    """Of those that overlap the first, and of several that begin there the longest."""
    kept: list[Expression] = []
    for one in sorted(found, key=lambda one: (one.start, -one.end)):
        if not kept or one.start >= kept[-1].end:
            kept.append(one)
    return kept


def _stretch(start: datetime, days: float, around: tuple[float, float]) -> Window:
    before, after = around
    return _moved(start, -before), _moved(start, days + after)


def _moved(moment: datetime, days: float) -> datetime:
    """So many days on, and never out of the calendar."""
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


def _numeric(found: Expression, now: datetime) -> Iterator[Window]:
    if not found["iso"]:
        return
    year, month, day = map(int, found["iso"].split("-"))
    if start := _on(now, year, month, day):
        yield _stretch(start, 1, _AROUND_DATE_D)


def _date(found: Expression, now: datetime) -> Iterator[Window]:
    far = _FAR_YEAR.match(found.text, found.end)
    day, year = found["day"], far[1] if far else found["year"]
    if not (day or year or _is_month(found)):
        return
    month = cal.MONTHS[found["month"]]
    for one in [int(year)] if year else range(now.year - YEARS_BACK, now.year + 1):
        if start := _on(now, one, month, int(day or 1)):
            around = _AROUND_DATE_D if day else (0, SAID_LATER_D)
            yield _stretch(start, 1 if day else 31, around)


def _is_month(found: Expression) -> bool:
    """May and March are words as well, and months only behind a word such as "in"."""
    if found["month"] not in cal.ALSO_WORDS:
        return True
    start = found.match.start("month")
    before = found.text[:start].split()
    return found.text[start].isupper() and bool(before) and before[-1].lower() in _BEFORE_MONTHS


def _years(found: list[Expression], now: datetime) -> Iterator[Window]:
    for one in found:
        if one.kind == "year" and one["before"] in _YEARS_BEFORE:
            start = _on(now, int(one["year"]), 1, 1)
            yield from [_stretch(start, 366, (0, SAID_LATER_D))] if start else []


def _ago(found: Expression, now: datetime) -> Iterator[Window]:
    unit = found["unit"]
    if unit not in _UNIT_D:
        return
    away = read_count(found["count"])[0] * _UNIT_D[unit]
    half = _AGO_MARGIN_UNITS * _UNIT_D[unit] if unit != "day" else 0.0
    margin = max(_AGO_MARGIN_D, _AGO_MARGIN_SHARE * away, half)
    yield _stretch(_moved(_midnight(now), -away), 1, (margin, margin))


def _past(found: Expression, now: datetime) -> Iterator[Window]:
    """Last week, these three months: from then until now."""
    which, unit, count = found["which"].removesuffix(" past"), found["unit"], found["count"]
    if unit not in _UNIT_D or which in ("next", "coming"):
        return
    reach = _UNIT_D[unit] * (read_count(count)[0] if count else 1)
    if not count and which in ("last", "previous") and unit in _REACH_TWICE:
        reach *= 2
    yield _moved(_midnight(now), -reach - 1), _moved(now, 1)


def _weekday(found: Expression, now: datetime) -> Iterator[Window]:
    if found["which"] in _BACK:
        today = _midnight(now)
        back = (today.weekday() - cal.WEEKDAYS[found["weekday"]]) % 7 or 7
        yield _stretch(_moved(today, -back), 1, _AROUND_WEEKDAY_D)


def _near_day(found: Expression, now: datetime) -> Iterator[Window]:
    if back := _YESTERDAY.get(found["near"]):
        yield _stretch(_moved(_midnight(now), -back), 1, _AROUND_YESTERDAY_D)
    elif found["near"] in _TODAY:
        yield _stretch(_midnight(now), 1, _AROUND_TODAY_D)


def _part_of_day(found: Expression, now: datetime) -> Iterator[Window]:
    if found["which"] == "this":
        yield _stretch(_midnight(now), 1, _AROUND_TODAY_D)
    elif found["part"] == "night":
        yield _stretch(_moved(_midnight(now), -1), 1, _AROUND_YESTERDAY_D)


_Read: TypeAlias = Callable[[Expression, datetime], Iterator[Window]]
_DATED: dict[Kind, _Read] = {"date": _date, "numeric": _numeric}
_NEAR: dict[Kind, _Read] = {
    "ago": _ago,
    "stretch": _past,
    "weekday": _weekday,
    "near_day": _near_day,
    "part_of_day": _part_of_day,
}
