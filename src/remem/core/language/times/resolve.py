"""Which days an expression of time means in a statement, and whether that is certain."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal, TypeAlias

from remem.core.language.numbers import read_count
from remem.core.language.times import calendar as cal
from remem.core.language.times.clock import clock_beside
from remem.core.language.times.grammar import Expression, Kind

Grain: TypeAlias = Literal["moment", "day", "week", "month", "year"]
# "By Friday" leaves Friday itself; "before Friday" does not.
LIMITS = frozenset({"by", "until", "till", "before", "due"})
# "It was moved to Friday", "the homework for Monday": the day lies ahead, whatever the verb says.
TOWARDS = frozenset({"to", "for"})
# Behind these a month without a year is one.
_BEFORE_MONTHS = frozenset({"in", "by", "until", "since", "during", "before"})
_BEFORE_YEARS = frozenset({"in", "since", "by", "until", "during"})
_OF_CLOCK = frozenset({"minute", "hour"})
_COUNTED_AHEAD = frozenset({"day", "week", "month", "year"})
_STRETCHES = {"last": -1, "past": -1, "previous": -1, "this": 0, "next": 1, "coming": 1}


@dataclass(frozen=True, slots=True)
class Days:
    """The days that are meant. `relative` ones depend on the day of saying; those that are not
    `certain` are one reading of several."""

    days: cal.Days
    grain: Grain
    relative: bool = True
    certain: bool = True


@dataclass(frozen=True, slots=True)
class Reference:
    """An expression, the day it was said on, and whether the statement looks ahead."""

    expression: Expression
    today: date
    ahead: bool | None

    def __getitem__(self, group: str) -> str:
        return self.expression[group]

    @property
    def timed(self) -> bool:
        """Whether a time of day follows."""
        text, start, end = self.expression.text, self.expression.start, self.expression.end
        return text.startswith(" at ", end) or clock_beside(text, start, end) is not None

    @property
    def is_span(self) -> bool:
        """ "From Monday to Friday" is every week."""
        text, start = self.expression.text, self.expression.start
        follows = self["before"] == "to" and text[:start].rstrip().lower().endswith("day")
        return follows or (self["before"] == "from" and text[self.expression.end :][:4] == " to ")

    @property
    def looks_ahead(self) -> bool | None:
        """As the word before the day says, or else as the verbs do."""
        return True if self["before"] in TOWARDS else self.ahead


def resolve(expression: Expression, today: date, ahead: bool | None) -> Days | None:
    """None for what is no time in a statement, or may be any."""
    if not expression.is_bare:
        return None
    return _RESOLVERS[expression.kind](Reference(expression, today, ahead))


def _on(day: date, *, relative: bool = True, certain: bool = True) -> Days:
    return Days(cal.one_day(day), "day", relative, certain)


def _near_day(reference: Reference) -> Days:
    word = " ".join(reference["near"].split())
    away = {"today": 0, "tonight": 0, "yesterday": -1, "tomorrow": 1}.get(word)
    if away is None:
        away = -2 if "yesterday" in word else 2
    return _on(reference.today + timedelta(days=away))


def _this_part(reference: Reference) -> Days:
    """This morning; last night was the night that began the day before."""
    back = reference["which"] == "last"
    return _on(reference.today - timedelta(days=back))


def shift_day(today: date, count: int, unit: str) -> date:
    if unit in ("day", "night"):
        return today + timedelta(days=count)
    if unit in ("week", "weekend"):
        return today + timedelta(days=7 * count)
    return cal.add_months(today, count * (12 if unit == "year" else 1))


def _ago(reference: Reference) -> Days | None:
    if reference["unit"] in _OF_CLOCK:
        return None
    count, exact = read_count(reference["count"])
    day = shift_day(reference.today, -count, reference["unit"])
    return Days(_around(day, reference["unit"]), _grain(reference), certain=exact)


def _in_some(reference: Reference) -> Days | None:
    """ "I read it in two days" says how long, and "we ship in two days" is a rule or a plan."""
    if reference.ahead is False or reference["unit"] not in _COUNTED_AHEAD:
        return None
    count, exact = read_count(reference["count"])
    day = shift_day(reference.today, count, reference["unit"])
    sure = exact and reference.ahead is True
    if exact and reference["unit"] in ("day", "week"):
        return _on(day, certain=sure)
    return Days(_around(day, reference["unit"]), _grain(reference), certain=sure)


_CLAUSE_CHARS = 200
# "Pay within ten days" is a rule that applies from some other day; this is counted from now.
_FROM_NOW = re.compile(
    r"\bI(?:['’]ll| will| have to| need to| must| should|['’]ve got to)\b"
    r"|\b[Ww]e(?:['’]ll| will| still have to| still need to)\b|\bremind me\b"
)


def _within(reference: Reference) -> Days | None:
    if reference["unit"] not in _COUNTED_AHEAD:
        return None
    text, start = reference.expression.text, reference.expression.start
    if " next " not in reference.expression.match[0].lower() and not _FROM_NOW.search(
        text, max(0, start - _CLAUSE_CHARS), start
    ):
        return None
    count, exact = read_count(reference["count"])
    return _on(shift_day(reference.today, count, reference["unit"]), certain=exact)


def _around(day: date, unit: str) -> cal.Days:
    spans = {"week": cal.week_of, "month": cal.month_of, "year": cal.year_of}
    return spans.get(unit, cal.one_day)(day)


def _grain(reference: Reference) -> Grain:
    unit = reference["unit"]
    return unit if unit in ("week", "month", "year") else "day"  # type: ignore[return-value]


def _stretch(reference: Reference) -> Days | None:
    """Last week, this month, next year; not "the last three weeks"."""
    unit = reference["unit"]
    which = reference["which"].removeprefix("this ")
    if reference["count"] or reference["many"] or which not in _STRETCHES:
        return None
    if unit not in ("weekend", "week", "month", "year"):
        return None
    step = _STRETCHES[which]
    if unit == "weekend":
        return _weekend(reference, step)
    return Days(_around(shift_day(reference.today, step, unit), unit), _grain(reference))


def _weekend(reference: Reference, step: int) -> Days:
    saturday = cal.weekend_of(reference.today)[0]
    if step < 0 or (reference.ahead is False and reference.today.weekday() < 5 and step == 0):
        saturday -= timedelta(days=7)
    if step > 0:
        saturday += timedelta(days=7)
    return Days((saturday, saturday + timedelta(days=2)), "day")


def _weekday(reference: Reference) -> Days | None:
    """Next Friday is that of the week to come; a bare Friday lies where the verbs look, and where
    they do not say, the coming one is a guess."""
    number, today = cal.WEEKDAYS[reference["weekday"]], reference.today
    which = reference["which"].split()[-1] if reference["which"] else ""
    ahead = reference.looks_ahead
    if not which and reference.is_span:
        return None
    if which == "next":
        return _on(cal.week_of(today)[1] + timedelta(days=number))
    if not (which or reference["before"] or reference["part"] or reference.timed) and ahead is None:
        return None
    if which in ("last", "past") or (which != "coming" and ahead is False):
        return _on(today - timedelta(days=(today.weekday() - number) % 7 or 7))
    sure = bool(which) or ahead is True or reference["before"] in LIMITS
    return _on(today + timedelta(days=(number - today.weekday()) % 7 or 7), certain=sure)


def _end_of(reference: Reference) -> Days:
    step = {"next": 1, "last": -1}.get(reference["which"], 0)
    day = shift_day(reference.today, step, reference["unit"])
    if reference["unit"] == "day":
        return _on(reference.today)
    days = {"week": cal.week_of, "month": cal.month_of, "year": cal.year_of}[reference["unit"]](day)
    last = days[1] - timedelta(days=3 if reference["unit"] == "week" else 1)
    if reference["edge"].startswith(("start", "begin")):
        last = days[0]
    return _on(last)


def _short_end(reference: Reference) -> Days:
    today = reference.today
    days = {"eod": cal.one_day, "eom": cal.month_of, "eoy": cal.year_of}
    if reference["edge"] in ("eow", "cow"):
        return _on(cal.week_of(today)[0] + timedelta(days=4))
    return _on(days[reference["edge"]](today)[1] - timedelta(days=1))


def _dated(reference: Reference) -> Days | None:
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
    return _on(day, relative=year is None, certain=year is not None or _says_which(reference))


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
    return reference.looks_ahead is not None or reference["before"] in LIMITS


def _leaps(year: int) -> bool:
    return cal.a_day(year, 2, 29) is not None


def _nearest(days: list[date], today: date, reference: Reference) -> date | None:
    """The one that lies where the statement looks; the nearest when it does not say."""
    ahead = True if reference["before"] in LIMITS else reference.looks_ahead
    if ahead and len(days) > 1:
        days = [day for day in days if day >= today]
    elif ahead is False and len(days) > 1:
        days = [day for day in days if day <= today]
    return min(days, key=lambda day: abs(day - today), default=None)


def _numeric(reference: Reference) -> Days | None:
    """2027-03-05 and 5.3.2027; 03/05/2027 only where one number can be no month."""
    if reference["iso"]:
        year, month, day = (int(part) for part in reference["iso"].split("-"))
    else:
        one, two, year = (int(part) for part in re.split(r"[./]", reference["plain"]))
        day, month = (one, two) if "." in reference["plain"] or one > 12 else (two, one)
        if "/" in reference["plain"] and one <= 12 and two <= 12 and one != two:
            return None
    found = cal.a_day(year, month, day)
    return _on(found, relative=False) if found else None


def _season(reference: Reference) -> Days | None:
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


def _in_year(reference: Reference) -> Days | None:
    if reference["before"] not in _BEFORE_YEARS:
        return None
    first = date(int(reference["year"]), 1, 1)
    return Days(cal.year_of(first), "year", relative=False)


_Resolve: TypeAlias = Callable[[Reference], Days | None]
_RESOLVERS: dict[Kind, _Resolve] = {
    "near_day": _near_day,
    "part_of_day": _this_part,
    "ago": _ago,
    "ahead": _in_some,
    "within": _within,
    "stretch": _stretch,
    "weekday": _weekday,
    "edge": _end_of,
    "short_edge": _short_end,
    "date": _dated,
    "numeric": _numeric,
    "season": _season,
    "year": _in_year,
}
