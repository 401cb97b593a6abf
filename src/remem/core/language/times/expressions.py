"""How each expression of time is read: which days it means, and whether that is certain."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal, TypeAlias

from remem.core.language.times import calendar as cal

Grain: TypeAlias = Literal["moment", "day", "week", "month", "year"]
# "By Friday" leaves Friday itself; "before Friday" does not.
LIMITS = frozenset({"by", "until", "till", "before", "due"})
# "It was moved to Friday", "the homework for Monday": the day lies ahead, whatever the verb says.
TOWARDS = frozenset({"to", "for"})


@dataclass(frozen=True, slots=True)
class Found:
    """The days that are meant. `relative` ones depend on the day of saying; those that are not
    `certain` are one reading of several."""

    days: cal.Days
    grain: Grain
    relative: bool = True
    certain: bool = True


@dataclass(frozen=True, slots=True)
class Asked:
    """A match, the day it was said on, and whether the statement looks ahead."""

    found: re.Match[str]
    today: date
    ahead: bool | None

    def __getitem__(self, group: str) -> str:
        return (self.found[group] or "").lower()

    @property
    def timed(self) -> bool:
        """Whether a time of day follows."""
        return self.found.string.startswith(" at ", self.found.end())

    @property
    def is_span(self) -> bool:
        """ "From Monday to Friday" is every week."""
        text, start = self.found.string, self.found.start()
        follows = self["before"] == "to" and text[:start].rstrip().lower().endswith("day")
        return follows or (self["before"] == "from" and text[self.found.end() :][:4] == " to ")

    @property
    def looks_ahead(self) -> bool | None:
        """As the word before the day says, or else as the verbs do."""
        return True if self["before"] in TOWARDS else self.ahead


_NUMBERS = {
    word: number
    for number, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve".split()
    )
} | {"a": 1, "an": 1}
_VAGUE = {"couple": 2, "few": 3, "several": 4}
COUNT = (
    r"(?P<count>\d{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
    r"|(?:a )?couple(?: of)?|(?:a )?few|several)"
)
# Ash Wednesday and Good Friday are days of the year.
_DAY = (
    r"(?<!Ash )(?<!Good )(?<!Black )(?<!Cyber )(?<!Easter )"
    r"(?P<weekday>(?:mon|tues|wednes|thurs|fri|satur|sun)day)"
)
_MONTH = (
    r"(?P<month>january|february|march|april|may|june|july|august|september|october|november"
    r"|december|jan|feb|mar|apr|jun|jul|aug|sept|sep|oct|nov|dec)"
)
_PART = r"(?: (?P<part>morning|afternoon|evening|night))?"
_ORDINAL = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_BEFORE = (
    r"(?:(?P<before>on|in|by|until|till|before|after|since|from|around|during|over|due|to|for)"
    r"(?: (?:the|about|around))? )?"
)


def _on(day: date, *, relative: bool = True, certain: bool = True) -> Found:
    return Found(cal.one_day(day), "day", relative, certain)


def _near_day(asked: Asked) -> Found:
    word = " ".join(asked["near"].split())
    away = {"today": 0, "tonight": 0, "yesterday": -1, "tomorrow": 1}.get(word)
    if away is None:
        away = -2 if "yesterday" in word else 2
    return _on(asked.today + timedelta(days=away))


def _this_part(asked: Asked) -> Found:
    """This morning; last night was the night that began the day before."""
    back = asked["which"] == "last"
    return _on(asked.today - timedelta(days=back))


def read_count(words: str) -> tuple[int, bool]:
    """The number, and whether it was said exactly."""
    word = words.split()[-1] if not words.endswith(" of") else words.split()[-2]
    if word in _VAGUE:
        return _VAGUE[word], False
    return (int(word) if word.isdigit() else _NUMBERS[word]), True


def shift_day(today: date, count: int, unit: str) -> date:
    if unit in ("day", "night"):
        return today + timedelta(days=count)
    if unit in ("week", "weekend"):
        return today + timedelta(days=7 * count)
    return cal.add_months(today, count * (12 if unit == "year" else 1))


def _ago(asked: Asked) -> Found:
    count, exact = read_count(asked["count"])
    day = shift_day(asked.today, -count, asked["unit"])
    return Found(_around(day, asked["unit"]), _grain(asked), certain=exact)


def _in_some(asked: Asked) -> Found | None:
    """ "I read it in two days" says how long, and "we ship in two days" is a rule or a plan."""
    if asked.ahead is False:
        return None
    count, exact = read_count(asked["count"])
    day = shift_day(asked.today, count, asked["unit"])
    sure = exact and asked.ahead is True
    if exact and asked["unit"] in ("day", "week"):
        return _on(day, certain=sure)
    return Found(_around(day, asked["unit"]), _grain(asked), certain=sure)


_CLAUSE_CHARS = 200
# "Pay within ten days" is a rule that holds from some other day; this is counted from now.
_FROM_NOW = re.compile(
    r"\bI(?:['’]ll| will| have to| need to| must| should|['’]ve got to)\b"
    r"|\b[Ww]e(?:['’]ll| will| still have to| still need to)\b|\bremind me\b"
)


def _within(asked: Asked) -> Found | None:
    text, start = asked.found.string, asked.found.start()
    if " next " not in asked.found[0].lower() and not _FROM_NOW.search(
        text, max(0, start - _CLAUSE_CHARS), start
    ):
        return None
    count, exact = read_count(asked["count"])
    return _on(shift_day(asked.today, count, asked["unit"]), certain=exact)


def _around(day: date, unit: str) -> cal.Days:
    spans = {"week": cal.week_of, "month": cal.month_of, "year": cal.year_of}
    return spans.get(unit, cal.one_day)(day)


def _grain(asked: Asked) -> Grain:
    unit = asked["unit"]
    return unit if unit in ("week", "month", "year") else "day"  # type: ignore[return-value]


def _unit(asked: Asked) -> Found:
    """Last week, this month, next year."""
    way = {"last": -1, "past": -1, "previous": -1, "this": 0, "next": 1, "coming": 1}
    step, unit = way[asked["which"].split()[-1]], asked["unit"]
    if unit == "weekend":
        return _weekend(asked, step)
    return Found(_around(shift_day(asked.today, step, unit), unit), _grain(asked))


def _weekend(asked: Asked, step: int) -> Found:
    saturday = cal.weekend_of(asked.today)[0]
    if step < 0 or (asked.ahead is False and asked.today.weekday() < 5 and step == 0):
        saturday -= timedelta(days=7)
    if step > 0:
        saturday += timedelta(days=7)
    return Found((saturday, saturday + timedelta(days=2)), "day")


def _weekday(asked: Asked) -> Found | None:
    """Next Friday is that of the week to come; a bare Friday lies where the verbs look, and where
    they do not say, the coming one is a guess."""
    number, today = cal.weekday_number(asked["weekday"]), asked.today
    which = asked["which"].split()[-1] if asked["which"] else ""
    ahead = asked.looks_ahead
    if not which and asked.is_span:
        return None
    if which == "next":
        return _on(cal.week_of(today)[1] + timedelta(days=number))
    if not (which or asked["before"] or asked["part"] or asked.timed) and ahead is None:
        return None
    if which in ("last", "past") or (which != "coming" and ahead is False):
        return _on(today - timedelta(days=(today.weekday() - number) % 7 or 7))
    sure = bool(which) or ahead is True or asked["before"] in LIMITS
    return _on(today + timedelta(days=(number - today.weekday()) % 7 or 7), certain=sure)


def _end_of(asked: Asked) -> Found:
    step = {"next": 1, "last": -1}.get(asked["which"], 0)
    day = shift_day(asked.today, step, asked["unit"])
    if asked["unit"] == "day":
        return _on(asked.today)
    days = {"week": cal.week_of, "month": cal.month_of, "year": cal.year_of}[asked["unit"]](day)
    last = days[1] - timedelta(days=3 if asked["unit"] == "week" else 1)
    if asked["edge"].startswith(("start", "begin")):
        last = days[0]
    return _on(last)


def _short_end(asked: Asked) -> Found:
    today = asked.today
    days = {"eod": cal.one_day, "eom": cal.month_of, "eoy": cal.year_of}
    if asked["edge"] in ("eow", "cow"):
        return _on(cal.week_of(today)[0] + timedelta(days=4))
    return _on(days[asked["edge"]](today)[1] - timedelta(days=1))


def _dated(asked: Asked) -> Found | None:
    """3 March 2027, March 3rd, March 2027, in March."""
    month, today = cal.month_number(asked["month"]), asked.today
    year = int(asked["year"]) if asked["year"] else None
    if not asked["day"]:
        return _month(asked, month, year)
    years = [year] if year else [today.year + n for n in (-1, 0, 1)]
    days = [day for one in years if (day := cal.a_day(one, month, int(asked["day"])))]
    if year is None and month == 2 and asked["day"] == "29":
        days = [date(one, 2, 29) for one in range(today.year - 4, today.year + 5) if _leaps(one)]
    day = _nearest(days, today, asked)
    if day is None:
        return None
    return _on(day, relative=year is None, certain=year is not None or _says_which(asked))


def _month(asked: Asked, month: int, year: int | None) -> Found | None:
    if year is None and asked["before"] not in ("in", "by", "until", "since", "during", "before"):
        return None
    first = date(year, month, 1) if year else None
    if first is None:
        firsts = [date(asked.today.year + n, month, 1) for n in (-1, 0, 1)]
        first = _nearest(firsts, asked.today.replace(day=1), asked)
    if first is None:
        return None
    certain = year is not None or _says_which(asked)
    return Found(cal.month_of(first), "month", year is None, certain)


def _says_which(asked: Asked) -> bool:
    """Whether it is said if the nearest one ahead is meant, or the one behind."""
    return asked.looks_ahead is not None or asked["before"] in LIMITS


def _leaps(year: int) -> bool:
    return cal.a_day(year, 2, 29) is not None


def _nearest(days: list[date], today: date, asked: Asked) -> date | None:
    """The one that lies where the statement looks; the nearest when it does not say."""
    ahead = True if asked["before"] in LIMITS else asked.looks_ahead
    if ahead and len(days) > 1:
        days = [day for day in days if day >= today]
    elif ahead is False and len(days) > 1:
        days = [day for day in days if day <= today]
    return min(days, key=lambda day: abs(day - today), default=None)


def _numeric(asked: Asked) -> Found | None:
    """2027-03-05 and 5.3.2027; 03/05/2027 only where one number can be no month."""
    if asked["iso"]:
        year, month, day = (int(part) for part in asked["iso"].split("-"))
    else:
        one, two, year = (int(part) for part in re.split(r"[./]", asked["plain"]))
        day, month = (one, two) if "." in asked["plain"] or one > 12 else (two, one)
        if "/" in asked["plain"] and one <= 12 and two <= 12 and one != two:
            return None
    found = cal.a_day(year, month, day)
    return _on(found, relative=False) if found else None


def _season(asked: Asked) -> Found | None:
    which, name, today = asked["which"], asked["season"], asked.today
    if which == "this" and asked.ahead is None:
        return None
    spans = [cal.season_of(name, today.year + n) for n in (-2, -1, 0, 1)]
    if which == "last" or (which == "this" and asked.ahead is False):
        days = [span for span in spans if span[0] <= today][-1]
        if which == "last" and days[1] > today:
            days = [span for span in spans if span[1] <= today][-1]
    else:
        days = next(span for span in spans if span[1] > today)
    # On the other side of the equator it is another half of the year.
    return Found(days, "month", certain=False)


def _in_year(asked: Asked) -> Found:
    first = date(int(asked["year"]), 1, 1)
    return Found(cal.year_of(first), "year", relative=False)


def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w-]){pattern}(?![\w-]|'s\b|’s\b)", re.IGNORECASE)


_YEAR = r"(?P<year>(?:19|20)\d\d)"
_NEAR = (
    r"(?P<near>the day before yesterday|the day after tomorrow|yesterday|today|tonight|tomorrow)"
)
_WHICH = r"(?P<which>last|next|this past|this coming|this|past|coming)"
_Read: TypeAlias = Callable[[Asked], Found | None]
PATTERNS: tuple[tuple[re.Pattern[str], _Read], ...] = (
    (_compiled(rf"{_BEFORE}{_NEAR}{_PART}"), _near_day),
    (_compiled(rf"{_BEFORE}(?P<which>this|last) (?P<part>morning|afternoon|evening|night)"),
     _this_part),
    (_compiled(rf"(?P<before>)(?:about |around )?{COUNT}"
               r" (?P<unit>day|night|week|weekend|month|year)s?(?: or so)? ago"), _ago),
    (_compiled(rf"(?P<before>)in (?:about |around |the next )?{COUNT}"
               r" (?P<unit>day|week|month|year)s?(?: from now)?(?: time)?"), _in_some),
    (_compiled(rf"(?P<before>)within (?:the next )?{COUNT} (?P<unit>day|week|month|year)s?"),
     _within),
    (_compiled(rf"{_BEFORE}(?:the )?(?P<which>last|next|this past|past|this|previous|coming)"
               r" (?P<unit>weekend|week|month|year)"), _unit),
    (_compiled(rf"{_BEFORE}(?:the )?(?:{_WHICH} )?{_DAY}{_PART}"), _weekday),
    (_compiled(rf"{_BEFORE}{_WHICH} (?P<weekday>mon|tues?|wed|thurs?|fri|sat|sun)(?P<part>)"),
     _weekday),
    (_compiled(rf"(?:at )?{_BEFORE}(?:the )?(?P<edge>end|beginning|start) of (?:the )?"
               r"(?:(?P<which>this|next|last) )?(?P<unit>day|week|month|year)"), _end_of),
    (_compiled(rf"{_BEFORE}(?P<edge>eod|eow|eom|eoy)"), _short_end),
    (_compiled(rf"{_BEFORE}(?:{_DAY},? )?(?:the )?{_ORDINAL}(?: of)? {_MONTH}(?:\.(?= ))?"
               rf"(?:,? {_YEAR})?"), _dated),
    (_compiled(rf"{_BEFORE}(?:{_DAY},? )?{_MONTH}\.? {_ORDINAL}(?!:)(?:,? {_YEAR})?"), _dated),
    (_compiled(rf"{_BEFORE}(?<!\d )(?P<day>){_MONTH}(?: (?:of )?{_YEAR})?"), _dated),
    (_compiled(rf"{_BEFORE}(?:(?P<iso>\d{{4}}-\d\d-\d\d)"
               r"|(?<!version )(?P<plain>\d{1,2}[./]\d{1,2}[./]\d{4}))"), _numeric),
    (_compiled(rf"{_BEFORE}(?P<which>last|this|next) (?P<season>spring|summer|autumn|fall|winter)"),
     _season),
    (_compiled(rf"(?P<before>in|since|by|until|during) {_YEAR}"), _in_year),
)  # fmt: skip
