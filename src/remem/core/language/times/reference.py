"""An expression of time where it stands in a statement, and the days that it means."""

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


def on_day(day: date, *, relative: bool = True, certain: bool = True) -> Days:
    return Days(cal.one_day(day), "day", relative, certain)
