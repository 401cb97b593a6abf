"""The stretches of time that a query speaks of."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import TypeAlias

Window: TypeAlias = tuple[datetime, datetime]

# People tell of things for some days after they happened.
TOLD_LATER_D = 7
# A month or day without a year may be of any of these years.
YEARS_BACK = 3
# A day inside the calendar, so that any time zone can tell them.
EARLIEST, LATEST = datetime(1, 1, 2, tzinfo=UTC), datetime(9999, 12, 30, tzinfo=UTC)

_MONTHS = (
    "january february march april may june july august september october november december".split()
)
_MONTH = "|".join(_MONTHS) + "|jan|feb|mar|apr|jun|jul|aug|sept|sep|oct|nov|dec"
_ALSO_WORDS = frozenset({"may", "mar", "march", "sep"})
_BEFORE_MONTHS = frozenset("in since during last of early late mid until till".split())
_NUMBERS = {
    word: number
    for number, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve".split()
    )
} | {"a": 1, "an": 1, "couple": 2, "few": 3, "several": 4}
_N = (
    r"(\d{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|several"
    r"|(?:a )?couple(?: of)?|(?:a )?few)"
)
_UNIT_D = {"day": 1.0, "week": 7.0, "month": 30.4, "year": 365.2, "weekend": 4.0, "night": 1.0}
_WEEKDAYS = tuple("monday tuesday wednesday thursday friday saturday sunday".split())

# Beyond ASCII, letters such as ı and ſ pass for i and s, and are in no table of ours.
_ANY_CASE = re.I | re.A
_ISO = re.compile(r"\b(\d{4})-(\d{2})-(\d{2})\b", re.A)
_DATE = re.compile(
    rf"(?:\b(\d{{1,2}})(?:st|nd|rd|th)?(?: of)? )?\b({_MONTH})\b\.?"
    r"(?: (\d{1,2})(?:st|nd|rd|th)?(?![\d:]))?(?:,? (\d{4})\b)?",
    _ANY_CASE,
)
_YEAR = re.compile(r"\b(?:in|during|of|since|throughout|year) ((?:19|20)\d\d)\b", _ANY_CASE)
_AGO = re.compile(rf"\b{_N} (day|week|month|year)s? ago\b", _ANY_CASE)
_PAST = re.compile(
    rf"\b(last|past|previous|this|these)(?: past)?(?: {_N})?"
    r" (day|week|month|year|weekend|night)s?\b",
    _ANY_CASE,
)
_WEEKDAY = re.compile(rf"\b(?:last|past|this past) ({'|'.join(_WEEKDAYS)})\b", _ANY_CASE)
_YESTERDAY = re.compile(r"\byesterday\b|\blast night\b", _ANY_CASE)
_TODAY = re.compile(r"\btoday\b|\bthis morning\b|\btonight\b", _ANY_CASE)
_ASKS_WHEN = re.compile(
    r"^\W*(?:(?:and|so|but|do you (?:know|remember)|can you (?:tell|remind) me|tell me|remind me)"
    r"\W+)?(?:when|how long|since when|(?:(?:in|on|during|at) )?(?:what|which)"
    r" (?:date|day|month|year|week|time))\b",
    _ANY_CASE,
)


def asks_when(query: str) -> bool:
    return _ASKS_WHEN.search(query) is not None


def windows_of(query: str, now: datetime) -> list[Window]:
    """Each with some margin, for people are not exact; [] when the query names no time."""
    query = query[:1_000]
    today = now.replace(hour=0, minute=0, second=0, microsecond=0)
    dated = [*_iso(query, today), *_dates(query, today)] or [*_years(query, today)]
    near = [*_ago(query, today), *_past(query, today, now), *_weekdays(query, today)]
    return [*dated, *near, *_days(query, today)]


def _stretch(start: datetime, days: float, before: float, after: float) -> Window:
    return _moved(start, -before), _moved(start, days + after)


def _moved(moment: datetime, days: float) -> datetime:
    """So many days on, and never out of the calendar."""
    try:
        return min(max(moment + timedelta(days=days), EARLIEST), LATEST)
    except OverflowError:
        return EARLIEST if days < 0 else LATEST


def _on(today: datetime, year: int, month: int, day: int) -> datetime | None:
    try:
        return today.replace(year=year, month=month, day=day)
    except ValueError:
        return None


def _iso(query: str, today: datetime) -> Iterator[Window]:
    for found in _ISO.finditer(query):
        if day := _on(today, int(found[1]), int(found[2]), int(found[3])):
            yield _stretch(day, 1, 1, TOLD_LATER_D)


def _dates(query: str, today: datetime) -> Iterator[Window]:
    for found in _DATE.finditer(query):
        day, year = found[1] or found[3], found[4]
        if not (day or year) and not _is_month(query, found):
            continue
        month = 1 + next(
            n for n, name in enumerate(_MONTHS) if name.startswith(found[2].lower()[:3])
        )
        years = [int(year)] if year else range(today.year - YEARS_BACK, today.year + 1)
        for one in years:
            start = _on(today, one, month, int(day or 1))
            if start:
                yield _stretch(start, 1 if day else 31, 1 if day else 0, TOLD_LATER_D)


def _is_month(query: str, found: re.Match[str]) -> bool:
    """May and March are words as well, and months only behind a word such as "in"."""
    if found[2].lower() not in _ALSO_WORDS:
        return True
    before = query[: found.start()].split()
    return found[2][0].isupper() and bool(before) and before[-1].lower() in _BEFORE_MONTHS


def _years(query: str, today: datetime) -> Iterator[Window]:
    for found in _YEAR.finditer(query):
        if start := _on(today, int(found[1]), 1, 1):
            yield _stretch(start, 366, 0, TOLD_LATER_D)


def _ago(query: str, today: datetime) -> Iterator[Window]:
    for found in _AGO.finditer(query):
        unit = found[2].lower()
        away = _count(found[1]) * _UNIT_D[unit]
        margin = max(1.0, 0.15 * away, 0.5 * _UNIT_D[unit] if unit != "day" else 0.0)
        yield _stretch(_moved(today, -away), 1, margin, margin)


def _past(query: str, today: datetime, now: datetime) -> Iterator[Window]:
    for found in _PAST.finditer(query):
        unit = found[3].lower()
        reach = _UNIT_D[unit] * (_count(found[2]) if found[2] else 1)
        if not found[2] and found[1].lower() in ("last", "previous") and len(unit) < 7:
            # Last week reaches up to two weeks back.
            reach *= 2 if unit in ("week", "month", "year") else 1
        yield _moved(today, -reach - 1), _moved(now, 1)


def _weekdays(query: str, today: datetime) -> Iterator[Window]:
    for found in _WEEKDAY.finditer(query):
        back = (today.weekday() - _day_number(found[1])) % 7 or 7
        yield _stretch(_moved(today, -back), 1, 0.5, 3)


def _days(query: str, today: datetime) -> Iterator[Window]:
    if _YESTERDAY.search(query):
        yield _stretch(_moved(today, -1), 1, 0.5, 1)
    if _TODAY.search(query):
        yield _stretch(today, 1, 0.2, 0.2)


def _day_number(name: str) -> int:
    return next(n for n, day in enumerate(_WEEKDAYS) if day == name.lower())


def _count(word: str) -> int:
    word = word.lower().removeprefix("a ").removesuffix(" of") or "a"
    return int(word) if word.isdigit() else _NUMBERS.get(word, 1)
