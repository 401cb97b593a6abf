"""Days that are counted from the day of saying: yesterday, two weeks ago, next Friday."""

import re
from datetime import date, timedelta

from remem.core.language.numbers import read_count
from remem.core.language.times import calendar as cal
from remem.core.language.times.reference import LIMITS, Days, Grain, Reference, on_day

_OF_CLOCK = frozenset({"minute", "hour"})
_COUNTED_AHEAD = frozenset({"day", "week", "month", "year"})
_STRETCHES = {"last": -1, "past": -1, "previous": -1, "this": 0, "next": 1, "coming": 1}
_CLAUSE_CHARS = 200
# "Pay within ten days" is a rule that applies from some other day; this is counted from now.
_FROM_NOW = re.compile(
    r"\bI(?:['’]ll| will| have to| need to| must| should|['’]ve got to)\b"
    r"|\b[Ww]e(?:['’]ll| will| still have to| still need to)\b|\bremind me\b"
)


def near_day(reference: Reference) -> Days:
    word = " ".join(reference["near"].split())
    away = {"today": 0, "tonight": 0, "yesterday": -1, "tomorrow": 1}.get(word)
    if away is None:
        away = -2 if "yesterday" in word else 2
    return on_day(reference.today + timedelta(days=away))


def this_part(reference: Reference) -> Days:
    """This morning; last night was the night that began the day before."""
    back = reference["which"] == "last"
    return on_day(reference.today - timedelta(days=back))


def shift_day(today: date, count: int, unit: str) -> date:
    if unit in ("day", "night"):
        return today + timedelta(days=count)
    if unit in ("week", "weekend"):
        return today + timedelta(days=7 * count)
    return cal.add_months(today, count * (12 if unit == "year" else 1))


def ago(reference: Reference) -> Days | None:
    if reference["unit"] in _OF_CLOCK:
        return None
    count, exact = read_count(reference["count"])
    day = shift_day(reference.today, -count, reference["unit"])
    return Days(_around(day, reference["unit"]), _grain(reference), certain=exact)


def in_some(reference: Reference) -> Days | None:
    """ "I read it in two days" says how long, and "we ship in two days" is a rule or a plan."""
    if reference.ahead is False or reference["unit"] not in _COUNTED_AHEAD:
        return None
    count, exact = read_count(reference["count"])
    day = shift_day(reference.today, count, reference["unit"])
    sure = exact and reference.ahead is True
    if exact and reference["unit"] in ("day", "week"):
        return on_day(day, certain=sure)
    return Days(_around(day, reference["unit"]), _grain(reference), certain=sure)


def within(reference: Reference) -> Days | None:
    if reference["unit"] not in _COUNTED_AHEAD:
        return None
    text, start = reference.expression.text, reference.expression.start
    if " next " not in reference.expression.match[0].lower() and not _FROM_NOW.search(
        text, max(0, start - _CLAUSE_CHARS), start
    ):
        return None
    count, exact = read_count(reference["count"])
    return on_day(shift_day(reference.today, count, reference["unit"]), certain=exact)


def _around(day: date, unit: str) -> cal.Days:
    spans = {"week": cal.week_of, "month": cal.month_of, "year": cal.year_of}
    return spans.get(unit, cal.one_day)(day)


def _grain(reference: Reference) -> Grain:
    unit = reference["unit"]
    return unit if unit in ("week", "month", "year") else "day"  # type: ignore[return-value]


def stretch(reference: Reference) -> Days | None:
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


def weekday(reference: Reference) -> Days | None:
    """Next Friday is that of the week to come; a bare Friday lies where the verbs look, and where
    they do not say, the coming one is a guess."""
    number, today = cal.WEEKDAYS[reference["weekday"]], reference.today
    which = reference["which"].split()[-1] if reference["which"] else ""
    ahead = reference.looks_ahead
    if not which and reference.is_span:
        return None
    if which == "next":
        return on_day(cal.week_of(today)[1] + timedelta(days=number))
    if not (which or reference["before"] or reference["part"] or reference.timed) and ahead is None:
        return None
    if which in ("last", "past") or (which != "coming" and ahead is False):
        return on_day(today - timedelta(days=(today.weekday() - number) % 7 or 7))
    sure = bool(which) or ahead is True or reference["before"] in LIMITS
    return on_day(today + timedelta(days=(number - today.weekday()) % 7 or 7), certain=sure)


def end_of(reference: Reference) -> Days:
    step = {"next": 1, "last": -1}.get(reference["which"], 0)
    day = shift_day(reference.today, step, reference["unit"])
    if reference["unit"] == "day":
        return on_day(reference.today)
    days = {"week": cal.week_of, "month": cal.month_of, "year": cal.year_of}[reference["unit"]](day)
    last = days[1] - timedelta(days=3 if reference["unit"] == "week" else 1)
    if reference["edge"].startswith(("start", "begin")):
        last = days[0]
    return on_day(last)


def short_end(reference: Reference) -> Days:
    today = reference.today
    days = {"eod": cal.one_day, "eom": cal.month_of, "eoy": cal.year_of}
    if reference["edge"] in ("eow", "cow"):
        return on_day(cal.week_of(today)[0] + timedelta(days=4))
    return on_day(days[reference["edge"]](today)[1] - timedelta(days=1))
