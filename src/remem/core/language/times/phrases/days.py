"""The day that the symbols of a phrase name."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal, TypeAlias

from remem.core.language.times import calendar as cal
from remem.core.language.times.phrases.symbols import AT_MOST, Found, TimeSymbol

DATES = tuple(
    (name, re.compile(pattern.replace(*AT_MOST)))
    for name, pattern in (
        ("year_first", r"(?P<y>Q)(?:[-/.]|Y)(?P<m>N)(?:[-/.]|m)(?P<d>N)D?"),
        ("full", r"(?P<a>N)(?P<s>[./-])(?P<b>N)(?P=s)'?(?P<y>[QN])(?![:hH])"),
        ("month_day", r"(?:(?P<y>Q)Y)?(?P<m>N)m(?P<d>N)[DH]?"),
        ("month_day", r"(?P<m>N)(?:mF*)?(?P<e>E)"),
        (
            "named",
            r"(?:W[.FD]*)?(?P<d>N)[.DF]*(?:[-J/]+[W.]*N[.DF]*)*W?[F.]*(?P<M>M)(?:[.F,]*(?P<y>Q)|[.F]*'(?P<y2>N))?",
        ),
        ("named", r"(?P<M>M)[.F']*(?P<d>N)D*(?![:hH])(?:[F.]*(?P<y>Q))?"),
        ("numeric", r"(?:W[.F]*)?(?:(?P<first>N)\.?[-J]+)?(?P<a>N)[./](?P<b>N)(?!:)\.?"),
        ("with_dash", r"W[.F]*(?P<a>N)-(?P<b>N)(?![:hH])"),
        ("edge", r"(?P<e>E)[F-]*(?P<M>M)(?:[.F]*(?P<y>Q))?"),
        ("edge", r"(?P<M>M)F*(?P<e>E)"),
        ("month", r"(?P<M>M)[.F]*'?(?P<y>Q)|(?P<m>N)[/.](?P<y2>Q)"),
        ("ahead", r"I(?P<n>N)F*(?P<U>U)"),
        ("ahead", r"(?P<n>N)(?P<U>U)F*B"),
        ("back", r"G(?P<n>N)F*(?P<U>U)|(?P<n2>N)(?P<U2>U)F*G"),
        ("near", r"(?P<R>R)"),
        ("edge_unit", r"(?P<e>E)F*(?P<S>S)?(?P<U>U)(?P<S2>S)?"),
        ("step_day", r"(?P<S>S)F*U?F*(?P<W>W)[F.]*(?P<d>N)?(?![:hH.])"),
        ("step_day", r"(?P<W>W)F*(?:(?P<d>N)F*)?(?P<S>S)"),
        ("day", r"(?P<W>W)[.F]*D?F*(?P<d>N)(?![:hH/m-])(?!\.N)[.D]*"),
        ("day", r"(?<!C)(?P<d>N)[.DF]*(?P<W>W)"),
        ("step_unit", r"(?P<S>S)F*(?P<U>U)|(?P<U2>U)F*(?P<S2>S)"),
        ("weekday_only", r"(?P<W>W)"),
        ("day_alone", r"D(?P<d>N)(?![:hH])|(?P<d2>N)\.?D"),
        ("day_alone", r"L[DF]*(?P<d>N)\.?D?(?![:hH/.UPNM-])"),
        ("edge_alone", r"(?P<e>E)"),
        ("month", r"(?P<M>M)|(?P<m>N)m(?!N)"),
        ("day_alone", r"^[FCIJL|]*(?P<d>N)\.?(?=[PC]|$)"),
    )
)
# Whether 3/4 is the fourth of March; `always`: 3.4 too. None: not known.
MonthFirst: TypeAlias = bool | Literal["always"] | None
# A day, its grain, and whether it depends on the day of writing.
Dated: TypeAlias = tuple[date, str, bool] | None

_COMING = 9
_YEARS_AHEAD = 8
# A day without a year that is so long ago, and so far ahead, is over.
_RECENT_DAYS, _FAR_DAYS = 75, 280
_EDGES = {"first": 0, "middle": 14}


@dataclass(frozen=True, slots=True)
class DayRules:
    written: date
    ahead: bool | None
    month_first: MonthFirst

    def read(self, kind: str, found: Found) -> Dated:
        try:
            return getattr(self, f"_{kind}")(found)
        except (ValueError, OverflowError):
            # Outside the calendar, which ends with 31.12.9999.
            return None

    def _year_first(self, found: Found) -> Dated:
        year = found["y"]
        if year is None or year.digits != 4:
            return None
        return self._fixed(found.number("y"), found.number("m"), found.number("d"))

    def _full(self, found: Found) -> Dated:
        year = found["y"]
        if year is None or year.digits not in (2, 4):
            return None
        first, second = found.number("a"), found.number("b")
        full = _full_year(year)
        if year.digits == 2 and not -5 <= full - self.written.year <= _YEARS_AHEAD:
            return None
        for day, month in self._orders(first, second, found.match["s"]):
            if fixed := self._fixed(full, month, day):
                return fixed
        return None

    def _month_day(self, found: Found) -> Dated:
        month = found.number("m")
        if edge := found["e"]:
            return self._edge_of(edge, month, None)
        if year := found.number("y"):
            return self._fixed(year, month, found.number("d"))
        return self._next(month, found.number("d"), None)

    def _named(self, found: Found) -> Dated:
        year, month, day = found["y"] or found["y2"], found.number("M"), found.number("d")
        if year:
            return self._fixed(_full_year(year), month, day)
        if (
            re.match(r"MF+N", found.match[0])
            and 0 <= 2000 + (day or 0) - self.written.year <= _YEARS_AHEAD
        ):
            return date(2000 + (day or 0), month or 1, 1), "month", False
        return self._next(month, day, self._weekday(found))

    def _numeric(self, found: Found) -> Dated:
        sign, weekday = (
            found.match[0][found.match.end("a") - found.match.start()],
            self._weekday(found),
        )
        options = [
            option
            for day, month in self._orders(found.number("a"), found.number("b"), sign)
            if (option := self._next(month, found.number("first") or day, weekday))
        ]
        if weekday is not None:
            options = [row for row in options if row[0].weekday() == weekday] or options
        if sign == "/" and self.month_first is None:
            options.sort(key=lambda row: abs(row[0] - self.written))
        return options[0] if options else None

    def _with_dash(self, found: Found) -> Dated:
        """Of "wo 22-4", but not of "Thursday 8-10"."""
        weekday = self._weekday(found)
        dated = self._next(found.number("b"), found.number("a"), weekday)
        return dated if dated and dated[0].weekday() == weekday else None

    def _orders(
        self, first: int | None, second: int | None, sign: str
    ) -> Iterator[tuple[int, int]]:
        if first is None or second is None:
            return
        both = [(first, second), (second, first)]
        if self.month_first and (sign == "/" or self.month_first == "always"):
            both.reverse()
        yield from ((day, month) for day, month in both if month <= 12 and 1 <= day <= 31)

    def _weekday(self, found: Found) -> int | None:
        """A weekday anywhere in the phrase."""
        return next((int(item.value) for item in found.items if item.symbol == "W"), None)

    def _edge(self, found: Found) -> Dated:
        year = found["y"]
        return self._edge_of(found["e"], found.number("M"), year)

    def _edge_of(
        self, edge: TimeSymbol | None, month: int | None, year: TimeSymbol | None
    ) -> Dated:
        if edge is None or month is None:
            return None
        if year and year.digits == 4:
            first = date(int(year.value), month, 1)
        elif first_of := self._next(month, 1, None):
            first = first_of[0]
            if not self.ahead or (self.written.year, self.written.month) == (first.year - 1, month):
                first = date(self.written.year, month, 1) if month == self.written.month else first
        else:
            return None
        return _edge_day(first, str(edge.value)), "day", year is None

    def _month(self, found: Found) -> Dated:
        month, year = found.number("M", "m"), found["y"] or found["y2"]
        if month is None or not 1 <= month <= 12:
            return None
        if year:
            return date(_full_year(year), month, 1), "month", False
        years = [self.written.year + step for step in (-1, 0, 1)]
        firsts = [date(candidate, month, 1) for candidate in years]
        current = self.written.replace(day=1)
        if self.ahead is False:
            return max(day for day in firsts if day <= current), "month", True
        return min(day for day in firsts if day >= current), "month", True

    def _ahead(self, found: Found) -> Dated:
        return self._counted(found.number("n"), found["U"], 1)

    def _back(self, found: Found) -> Dated:
        return self._counted(found.number("n", "n2"), found["U"] or found["U2"], -1)

    def _counted(self, count: int | None, unit: TimeSymbol | None, sign: int) -> Dated:
        if count is None or unit is None or count > 400:
            return None
        return _shifted(self.written, sign * count, str(unit.value)), "day", True

    def _near(self, found: Found) -> Dated:
        offset = found.number("R") or 0
        return self.written + timedelta(days=offset), "day", True

    def _edge_unit(self, found: Found) -> Dated:
        edge, unit, step = found["e"], found["U"], found.number("S", "S2") or 0
        if edge is None or unit is None:
            return None
        day = _shifted(self.written, min(step, 1), str(unit.value))
        if unit.value == "month":
            return _edge_day(day.replace(day=1), str(edge.value)), "day", True
        if unit.value == "year":
            last = date(day.year, 12, 31) if edge.value == "last" else date(day.year, 1, 1)
            return last, "day", True
        if unit.value == "week":
            first = cal.week_of(day)[0]
            return first + timedelta(days=4 if edge.value == "last" else 0), "day", True
        return None

    def _edge_alone(self, found: Found) -> Dated:
        """月底, 月末: of this month."""
        edge = found["e"]
        if edge is None or edge.value != "last":
            return None
        return _edge_day(self.written.replace(day=1), "last"), "day", True

    def _step_day(self, found: Found) -> Dated:
        step, weekday, number = found.number("S") or 0, found.number("W"), found.number("d")
        if weekday is None:
            return None
        if number and (dated := self._day_of_month(number, weekday)):
            return dated
        if step == _COMING:
            return self._weekday_only(found)
        monday = cal.week_of(self.written)[0] + timedelta(days=7 * step)
        return monday + timedelta(days=weekday), "day", True

    def _step_unit(self, found: Found) -> Dated:
        step, unit = found.number("S", "S2") or 0, found["U"] or found["U2"]
        if unit is None:
            return None
        day = _shifted(self.written, min(step, 1), str(unit.value))
        firsts = {"week": cal.week_of(day)[0], "month": day.replace(day=1), "day": day}
        first = firsts.get(str(unit.value), date(day.year, 1, 1))
        return first, str(unit.value), True

    def _day(self, found: Found) -> Dated:
        number, behind = found.number("d"), found.items[found.match.end() :]
        if number and number <= 12 and behind and behind[0].symbol == "P":
            return self._weekday_only(found)
        return self._day_of_month(number, self._weekday(found)) or self._weekday_only(found)

    def _weekday_only(self, found: Found) -> Dated:
        weekday = self._weekday(found)
        if weekday is None:
            return None
        if self.ahead is False:
            days = (self.written.weekday() - weekday) % 7 or 7
            return self.written - timedelta(days=days), "day", True
        days = (weekday - self.written.weekday()) % 7 or 7
        return self.written + timedelta(days=days), "day", True

    def _day_alone(self, found: Found) -> Dated:
        return self._day_of_month(found.number("d", "d2"), None)

    def _day_of_month(self, number: int | None, weekday: int | None) -> Dated:
        """The next day with this number, on this weekday."""
        if not number or number > 31:
            return None
        first = self.written.replace(day=1)
        months = [
            cal.add_months(first, step) for step in range(-1 if self.ahead is False else 0, 13)
        ]
        days = [cal.date_or_none(month.year, month.month, number) for month in months]
        fitting = [
            day
            for day in days
            if day
            and (day >= self.written or self.ahead is False)
            and (weekday is None or day.weekday() == weekday)
        ]
        if self.ahead is False:
            fitting = [day for day in fitting if day <= self.written][-1:]
        return (fitting[0], "day", True) if fitting else None

    def _just_over(self, candidates: list[date]) -> date | None:
        """The last such day, if it is not long ago and the next one is far ahead."""
        before = max((day for day in candidates if day < self.written), default=None)
        after = min((day for day in candidates if day >= self.written), default=None)
        is_recent = before is not None and (self.written - before).days <= _RECENT_DAYS
        is_far = after is None or (after - self.written).days >= _FAR_DAYS
        return before if is_recent and is_far else None

    def _fixed(self, year: int | None, month: int | None, day: int | None) -> Dated:
        found = cal.date_or_none(year or 0, month or 0, day or 0)
        return (found, "day", False) if found else None

    def _next(self, month: int | None, day: int | None, weekday: int | None) -> Dated:
        """The next such day; with a weekday, the next on which it falls."""
        years = range(self.written.year - 1, self.written.year + _YEARS_AHEAD)
        days = [cal.date_or_none(year, month or 0, day or 0) for year in years]
        known = [found for found in days if found]
        if not known:
            return None
        near = [found for found in known if abs((found - self.written).days) < 400]
        on_weekday = [found for found in near if found.weekday() == weekday]
        candidates = on_weekday or near or known
        if self.ahead is None and (over := self._just_over(candidates)):
            return over, "day", True
        if self.ahead is not False:
            return min(candidates, key=lambda found: (found < self.written, found)), "day", True
        return max(candidates, key=lambda found: (found <= self.written, found)), "day", True


def _full_year(year: TimeSymbol) -> int:
    return int(year.value) if year.digits == 4 else 2000 + int(year.value)


def _edge_day(first: date, edge: str) -> date:
    if edge == "last":
        return cal.add_months(first, 1) - timedelta(days=1)
    return first + timedelta(days=_EDGES[edge])


def _shifted(day: date, count: int, unit: str) -> date:
    if unit == "day":
        return day + timedelta(days=count)
    if unit == "week":
        return day + timedelta(days=7 * count)
    return cal.add_months(day, count * (12 if unit == "year" else 1))
