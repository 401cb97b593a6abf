"""Days relative to the day of saying: yesterday, two weeks ago, next Friday."""

import re
from datetime import date, timedelta

from remem.core.language.numbers import read_count
from remem.core.language.times import calendar as cal
from remem.core.language.times.reference import LIMITS, Days, Grain, Reference, on_day

_CLOCK_UNITS = frozenset({"minute", "hour"})
_COUNTED_AHEAD = frozenset({"day", "week", "month", "year"})
_STEPS = {"last": -1, "past": -1, "previous": -1, "this": 0, "next": 1, "coming": 1}
_CLAUSE_CHARS = 200
# "Pay within ten days" is a rule that starts on some other day; these phrases count from now.
_FROM_NOW = re.compile(
    r"\bI(?:['’]ll| will| have to| need to| must| should|['’]ve got to)\b"
    r"|\b[Ww]e(?:['’]ll| will| still have to| still need to)\b|\bremind me\b"
)


def near_day(reference: Reference) -> Days:
    word = " ".join(reference["near"].split())
    offset = {"today": 0, "tonight": 0, "yesterday": -1, "tomorrow": 1}.get(word)
    if offset is None:
        offset = -2 if "yesterday" in word else 2
    return on_day(reference.today + timedelta(days=offset))


def part_of_day(reference: Reference) -> Days:
    """The day of "this morning" or "last night", which began the day before."""
    days_back = reference["which"] == "last"
    return on_day(reference.today - timedelta(days=days_back))


def shift_day(today: date, count: int, unit: str) -> date:
    if unit in ("day", "night"):
        return today + timedelta(days=count)
    if unit in ("week", "weekend"):
        return today + timedelta(days=7 * count)
    return cal.add_months(today, count * (12 if unit == "year" else 1))


def ago(reference: Reference) -> Days | None:
    if reference["unit"] in _CLOCK_UNITS:
        return None
    count, is_exact = read_count(reference["count"])
    day = shift_day(reference.today, -count, reference["unit"])
    return Days(_span_around(day, reference["unit"]), _grain(reference), certain=is_exact)


def days_ahead(reference: Reference) -> Days | None:
    """The day in "in two days". "I read it in two days" is a duration, and "we ship in two days"
    may be a rule."""
    if reference.ahead is False or reference["unit"] not in _COUNTED_AHEAD:
        return None
    count, is_exact = read_count(reference["count"])
    day = shift_day(reference.today, count, reference["unit"])
    is_certain = is_exact and reference.ahead is True
    if is_exact and reference["unit"] in ("day", "week"):
        return on_day(day, certain=is_certain)
    return Days(_span_around(day, reference["unit"]), _grain(reference), certain=is_certain)


def within(reference: Reference) -> Days | None:
    if reference["unit"] not in _COUNTED_AHEAD:
        return None
    text, start = reference.expression.text, reference.expression.start
    if " next " not in reference.expression.match[0].lower() and not _FROM_NOW.search(
        text, max(0, start - _CLAUSE_CHARS), start
    ):
        return None
    count, is_exact = read_count(reference["count"])
    return on_day(shift_day(reference.today, count, reference["unit"]), certain=is_exact)


def _span_around(day: date, unit: str) -> cal.Days:
    spans = {"week": cal.week_of, "month": cal.month_of, "year": cal.year_of}
    return spans.get(unit, cal.one_day)(day)


def _grain(reference: Reference) -> Grain:
    unit = reference["unit"]
    return unit if unit in ("week", "month", "year") else "day"  # type: ignore[return-value]


def span(reference: Reference) -> Days | None:
    """The span of "last week", "this month" or "next year", but not of "the last three weeks"."""
    unit = reference["unit"]
    which = reference["which"].removeprefix("this ")
    if reference["count"] or reference["many"] or which not in _STEPS:
        return None
    if unit not in ("weekend", "week", "month", "year"):
        return None
    step = _STEPS[which]
    if unit == "weekend":
        return _weekend(reference, step)
    return Days(_span_around(shift_day(reference.today, step, unit), unit), _grain(reference))


def _weekend(reference: Reference, step: int) -> Days:
    saturday = cal.weekend_of(reference.today)[0]
    if step < 0 or (reference.ahead is False and reference.today.weekday() < 5 and step == 0):
        saturday -= timedelta(days=7)
    if step > 0:
        saturday += timedelta(days=7)
    return Days((saturday, saturday + timedelta(days=2)), "day")


def weekday(reference: Reference) -> Days | None:
    """The day of a weekday. "Next Friday" is in the coming week. A bare "Friday" follows the tense
    of the verbs; without tense, the coming one is an uncertain guess."""
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
    is_certain = bool(which) or ahead is True or reference["before"] in LIMITS
    return on_day(today + timedelta(days=(number - today.weekday()) % 7 or 7), certain=is_certain)


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


def short_end_of(reference: Reference) -> Days:
    today = reference.today
    days = {"eod": cal.one_day, "eom": cal.month_of, "eoy": cal.year_of}
    if reference["edge"] in ("eow", "cow"):
        return on_day(cal.week_of(today)[0] + timedelta(days=4))
    return on_day(days[reference["edge"]](today)[1] - timedelta(days=1))
