"""An expression of time where it stands in a statement, and the days that it means."""

import re
from dataclasses import dataclass
from datetime import date
from typing import Literal, TypeAlias

from remem.core.language.times import calendar as cal
from remem.core.language.times.clock import clock_beside
from remem.core.language.times.grammar import Expression

Grain: TypeAlias = Literal["moment", "day", "week", "month", "year"]
# "By Friday" leaves Friday itself; "before Friday" does not.
LIMITS = frozenset({"by", "until", "till", "before", "due"})
# "It was moved to Friday", "the homework for Monday": the day lies ahead, whatever the verb says.
TOWARDS = frozenset({"to", "for"})
# How something was, as long as no other clause begins: "I was on leave until". What was extended or
# put off until then, or said to be so, may last on.
_LASTED = re.compile(
    r"\b(?:(?:was|were)(?! (?:\w+ed|put|set|given|told|lent|kept|held|left|made|shut)\b)"
    r"|lasted|lived|stayed|worked)\b"
    r"(?:(?!\b(?:and|but|is|are|has|have)\b)[^,;.:!?])*$",
    re.IGNORECASE,
)
_REPORTED = re.compile(r"\b(?:said|says|told|wrote|mentioned|thought|heard)\b", re.IGNORECASE)
_SPAN_BEGINS = re.compile(r"\bfrom (?:the )?\w{1,10}(?: \w{1,10})? $", re.IGNORECASE)
_MOVED = re.compile(
    r"\b(?:moved|postponed|rescheduled|delayed|shifted|pushed|put|brought|changed|extended)\b",
    re.IGNORECASE,
)
_IS = re.compile(r"(?:\b(?:is|are|gets?) (?:\w{2,20} )?|['’](?:s|re) )$", re.IGNORECASE)
_LOOK_BACK_CHARS = 80


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
        if self["before"] == "since":
            return False
        if self["before"] in TOWARDS and not (self.ahead is False and self._ends_span):
            return True
        return self.ahead

    @property
    def is_limit_ahead(self) -> bool:
        """ "Until 3 May" lies ahead, unless it tells how long something was."""
        if self["before"] not in LIMITS:
            return False
        is_over = self.ahead is False and self["before"] in ("until", "till") and self._lasted
        return not is_over

    @property
    def is_in_present_tense(self) -> bool:
        """ "The exam is 3 June", "the meeting is held on 3 June"."""
        return _IS.search(self._words_before) is not None

    @property
    def _ends_span(self) -> bool:
        """ "From 3 May to 9 May"; what was moved from one day to another is no span."""
        is_moved = _MOVED.search(self.expression.text) is not None
        return not is_moved and _SPAN_BEGINS.search(self._words_before) is not None

    @property
    def _lasted(self) -> bool:
        is_reported = _REPORTED.search(self.expression.text) is not None
        return not is_reported and _LASTED.search(self._words_before) is not None

    @property
    def _words_before(self) -> str:
        start = self.expression.start
        return self.expression.text[max(0, start - _LOOK_BACK_CHARS) : start]


def on_day(day: date, *, relative: bool = True, certain: bool = True) -> Days:
    return Days(cal.one_day(day), "day", relative, certain)
