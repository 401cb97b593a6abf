"""Days that are named on the calendar: 3 March, in March, 2027-03-05, next summer."""

import re
from datetime import date

from remem.core.language.times import calendar as cal
from remem.core.language.times.reference import Days, Reference, on_day

# Behind these a month without a year is one.
_BEFORE_MONTHS = frozenset({"in", "by", "until", "since", "during", "before"})
_BEFORE_YEARS = frozenset({"in", "since", "by", "until", "during"})


def dated(reference: Reference) -> Days | None:
    """3 March 2027, March 3rd, March 2027, in March."""
    month, today = cal.MONTHS[reference["month"]], reference.today
    year = int(reference["year"]) if reference["year"] else None
    if not reference["day"]:
        return _month(reference, month, year)
    years = [year] if year else [today.year + n for n in (-1, 0, 1)]
    days = [day for one in years if (day := cal.a_day(one, month, int(reference["day"])))]
    if year is None and month == 2 and reference["day"] == "29":
        days = [date(one, 2, 29) for one in range(today.year - 4, today.year + 5) if _leaps(one)]
    day = _nearest(days, today, reference)
    if day is None:
        return None
    return on_day(day, relative=year is None, certain=year is not None or _says_which(reference))


def _month(reference: Reference, month: int, year: int | None) -> Days | None:
    if year is None and reference["before"] not in _BEFORE_MONTHS:
        return None
    first = date(year, month, 1) if year else None
    if first is None:
        firsts = [date(reference.today.year + n, month, 1) for n in (-1, 0, 1)]
        first = _nearest(firsts, reference.today.replace(day=1), reference)
    if first is None:
        return None
    certain = year is not None or _says_which(reference)
    return Days(cal.month_of(first), "month", year is None, certain)


def _says_which(reference: Reference) -> bool:
    """Whether it is said if the nearest one ahead is meant, or the one behind."""
    return reference.looks_ahead is not None or reference.is_limit_ahead


def _leaps(year: int) -> bool:
    return cal.a_day(year, 2, 29) is not None


def _nearest(days: list[date], today: date, reference: Reference) -> date | None:
    """The one that lies where the statement looks; the nearest when it does not say."""
    ahead = True if reference.is_limit_ahead else reference.looks_ahead
    if ahead is None and reference.is_in_present_tense:
        ahead = True
    if ahead and len(days) > 1:
        days = [day for day in days if day >= today]
    elif ahead is False and len(days) > 1:
        days = [day for day in days if day <= today]
    return min(days, key=lambda day: abs(day - today), default=None)


def numeric(reference: Reference) -> Days | None:
    """2027-03-05 and 5.3.2027; 03/05/2027 only where one number can be no month."""
    if reference["iso"]:
        year, month, day = (int(part) for part in reference["iso"].split("-"))
    else:
        one, two, year = (int(part) for part in re.split(r"[./]", reference["plain"]))
        day, month = (one, two) if "." in reference["plain"] or one > 12 else (two, one)
        if "/" in reference["plain"] and one <= 12 and two <= 12 and one != two:
            return None
    found = cal.a_day(year, month, day)
    return on_day(found, relative=False) if found else None


def season(reference: Reference) -> Days | None:
    which, name, today = reference["which"], reference["season"], reference.today
    if which == "this" and reference.ahead is None:
        return None
    spans = [cal.season_of(name, today.year + n) for n in (-2, -1, 0, 1)]
    if which == "last" or (which == "this" and reference.ahead is False):
        days = [span for span in spans if span[0] <= today][-1]
        if which == "last" and days[1] > today:
            days = [span for span in spans if span[1] <= today][-1]
    else:
        days = next(span for span in spans if span[1] > today)
    # On the other side of the equator it is another half of the year.
    return Days(days, "month", certain=False)


def in_year(reference: Reference) -> Days | None:
    if reference["before"] not in _BEFORE_YEARS:
        return None
    first = date(int(reference["year"]), 1, 1)
    return Days(cal.year_of(first), "year", relative=False)
