"""A time expression in the context of its statement, and the days it refers to."""

import re
from dataclasses import dataclass
from datetime import date
from typing import Literal, TypeAlias

from remem.core.language.times import calendar as cal
from remem.core.language.times.clock import clock_beside
from remem.core.language.times.grammar import Expression

Grain: TypeAlias = Literal["moment", "day", "week", "month", "year"]
# "By Friday" includes Friday; "before Friday" does not.
LIMITS = frozenset({"by", "until", "till", "before", "due"})
# "It was moved to Friday", "the homework for Monday": the day is in the future, whatever the tense.
TOWARDS = frozenset({"to", "for"})
# A past state, as long as no other clause begins: "I was on leave until". Something extended or
# postponed until then, or only reported, may still last.
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
_PRESENT_VERB = re.compile(r"(?:\b(?:is|are|gets?) (?:\w{2,20} )?|['’](?:s|re) )$", re.IGNORECASE)
_LOOKBACK_CHARS = 80


@dataclass(frozen=True, slots=True)
class Days:
    """The days referred to. `relative` days depend on the day of saying; days that are not
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
        """Whether it is part of a recurring span: "from Monday to Friday" is every week."""
        text, start = self.expression.text, self.expression.start
        follows = self["before"] == "to" and text[:start].rstrip().lower().endswith("day")
        return follows or (self["before"] == "from" and text[self.expression.end :][:4] == " to ")

    @property
    def looks_ahead(self) -> bool | None:
        """The direction by the preposition, or else by the tense of the verbs."""
        if self["before"] == "since":
            return False
        if self["before"] in TOWARDS and not (self.ahead is False and self._ends_span):
            return True
        return self.ahead

    @property
    def is_limit_ahead(self) -> bool:
        """Whether it is a future limit. "Until 3 May" is one, unless it says how long something
        lasted."""
        if self["before"] not in LIMITS:
            return False
        is_over = self.ahead is False and self["before"] in ("until", "till") and self._lasted
        return not is_over

    @property
    def is_in_present_tense(self) -> bool:
        """Whether the verb before is in the present tense: "the exam is 3 June", "the meeting is
        held on 3 June"."""
        return _PRESENT_VERB.search(self._words_before) is not None

    @property
    def _ends_span(self) -> bool:
        """Whether it ends a span: "from 3 May to 9 May". Something moved from one day to another is
        no span."""
        is_moved = _MOVED.search(self.expression.text) is not None
        return not is_moved and _SPAN_BEGINS.search(self._words_before) is not None

    @property
    def _lasted(self) -> bool:
        is_reported = _REPORTED.search(self.expression.text) is not None
        return not is_reported and _LASTED.search(self._words_before) is not None

    @property
    def _words_before(self) -> str:
        start = self.expression.start
        return self.expression.text[max(0, start - _LOOKBACK_CHARS) : start]


def on_day(day: date, *, relative: bool = True, certain: bool = True) -> Days:
    return Days(cal.one_day(day), "day", relative, certain)
