"""Calendar dates: 3 March, in March, 2027-03-05, next summer."""

import re
from datetime import date

from remem.core.language.times import calendar as cal
from remem.core.language.times.reference import Days, Reference, on_day

# Prepositions after which a month may stand without a year.
_BEFORE_MONTHS = frozenset({"in", "by", "until", "since", "during", "before"})
_BEFORE_YEARS = frozenset({"in", "since", "by", "until", "during"})


def calendar_date(reference: Reference) -> Days | None:
    """The days of "3 March 2027", "March 3rd", "March 2027" or "in March"."""
    month, today = cal.MONTHS[reference["month"]], reference.today
    year = int(reference["year"]) if reference["year"] else None
    if not reference["day"]:
        return _month(reference, month, year)
    years = [year] if year else [today.year + offset for offset in (-1, 0, 1)]
    days = [
        day
        for candidate in years
        if (day := cal.date_or_none(candidate, month, int(reference["day"])))
    ]
    if year is None and month == 2 and reference["day"] == "29":
        days = [
            date(candidate, 2, 29)
            for candidate in range(today.year - 4, today.year + 5)
            if _is_leap_year(candidate)
        ]
    day = _nearest(days, today, reference)
    if day is None:
        return None
    return on_day(day, relative=year is None, certain=year is not None or _has_direction(reference))


def _month(reference: Reference, month: int, year: int | None) -> Days | None:
    if year is None and reference["before"] not in _BEFORE_MONTHS:
        return None
    first = date(year, month, 1) if year else None
    if first is None:
        firsts = [date(reference.today.year + offset, month, 1) for offset in (-1, 0, 1)]
        first = _nearest(firsts, reference.today.replace(day=1), reference)
    if first is None:
        return None
    certain = year is not None or _has_direction(reference)
    return Days(cal.month_of(first), "month", year is None, certain)


def _has_direction(reference: Reference) -> bool:
    """Whether the statement says if the next or the previous date is meant."""
    return reference.looks_ahead is not None or reference.is_limit_ahead


def _is_leap_year(year: int) -> bool:
    return cal.date_or_none(year, 2, 29) is not None


def _nearest(days: list[date], today: date, reference: Reference) -> date | None:
    """The date in the direction of the statement's tense; without tense, the nearest one."""
    ahead = True if reference.is_limit_ahead else reference.looks_ahead
    if ahead is None and reference.is_in_present_tense:
        ahead = True
    if ahead and len(days) > 1:
        days = [day for day in days if day >= today]
    elif ahead is False and len(days) > 1:
        days = [day for day in days if day <= today]
    return min(days, key=lambda day: abs(day - today), default=None)


def numeric(reference: Reference) -> Days | None:
    """The day of "2027-03-05" or "5.3.2027"; of "03/05/2027" only when one number cannot be a
    month."""
    if reference["iso"]:
        year, month, day = (int(part) for part in reference["iso"].split("-"))
    else:
        first, second, year = (int(part) for part in re.split(r"[./]", reference["plain"]))
        day, month = (first, second) if "." in reference["plain"] or first > 12 else (second, first)
        if "/" in reference["plain"] and first <= 12 and second <= 12 and first != second:
            return None
    date_found = cal.date_or_none(year, month, day)
    return on_day(date_found, relative=False) if date_found else None


def season(reference: Reference) -> Days | None:
    which, name, today = reference["which"], reference["season"], reference.today
    if which == "this" and reference.ahead is None:
        return None
    spans = [cal.season_of(name, today.year + offset) for offset in (-2, -1, 0, 1)]
    if which == "last" or (which == "this" and reference.ahead is False):
        days = [span for span in spans if span[0] <= today][-1]
        if which == "last" and days[1] > today:
            days = [span for span in spans if span[1] <= today][-1]
    else:
        days = next(span for span in spans if span[1] > today)
    # Uncertain, because the seasons are reversed in the southern hemisphere.
    return Days(days, "month", certain=False)


def in_year(reference: Reference) -> Days | None:
    if reference["before"] not in _BEFORE_YEARS:
        return None
    first = date(int(reference["year"]), 1, 1)
    return Days(cal.year_of(first), "year", relative=False)
