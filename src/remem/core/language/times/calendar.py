"""Calendar arithmetic with days, weeks and months, in zones with daylight saving time."""

from calendar import monthrange
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import TypeAlias

from remem.core.language.lists import phrases, table, word_list, word_set

Days: TypeAlias = tuple[date, date]

_MONTHS = phrases("calendar", "months")
_WEEKDAYS = phrases("calendar", "weekdays")
MONTHS = {form: number for number, forms in enumerate(_MONTHS, 1) for form in forms}
"""Every spelling of a month, with its number."""
MONTH_NAMES = tuple(forms[0] for forms in _MONTHS)
WEEKDAYS = {form: number for number, forms in enumerate(_WEEKDAYS) for form in forms}
"""Every spelling of a weekday, with its number; Monday is 0."""
WEEKDAY_NAMES = tuple(forms[0] for forms in _WEEKDAYS)
ALSO_WORDS = word_set("calendar", "also_words")
PARTS_OF_DAY = word_list("calendar", "parts_of_day")
SEASONS: dict[str, int] = table("calendar")["seasons"]


def add_months(day: date, count: int) -> date:
    """The same day of another month, or its last day when that month is shorter."""
    month = day.year * 12 + day.month - 1 + count
    year, month = divmod(month, 12)
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))


def date_or_none(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def one_day(day: date) -> Days:
    return day, day + timedelta(days=1)


def week_of(day: date) -> Days:
    """From Monday to the following Monday."""
    first = day - timedelta(days=day.weekday())
    return first, first + timedelta(days=7)


def weekend_of(day: date) -> Days:
    """The Saturday and Sunday of the day's week."""
    saturday = day + timedelta(days=5 - day.weekday())
    return saturday, saturday + timedelta(days=2)


def month_of(day: date) -> Days:
    first = day.replace(day=1)
    return first, add_months(first, 1)


def year_of(day: date) -> Days:
    return date(day.year, 1, 1), date(day.year + 1, 1, 1)


def season_of(name: str, year: int) -> Days:
    """Three months; winter ends in the following year."""
    first = date(year, SEASONS[name], 1)
    return first, add_months(first, 3)


def moment(day: date, at: time, zone: tzinfo) -> datetime:
    """A day and a time as a moment. A time skipped by daylight saving is moved forward."""
    return datetime.combine(day, at, zone).astimezone(UTC).astimezone(zone)
