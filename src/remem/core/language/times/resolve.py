"""Resolve the time expressions of a statement to days."""

from collections.abc import Callable
from datetime import date
from typing import TypeAlias

from remem.core.language.times import counted, named
from remem.core.language.times.grammar import Expression, Kind
from remem.core.language.times.reference import Days, Reference

_Resolve: TypeAlias = Callable[[Reference], Days | None]
_RESOLVERS: dict[Kind, _Resolve] = {
    "near_day": counted.near_day,
    "part_of_day": counted.part_of_day,
    "ago": counted.ago,
    "ahead": counted.days_ahead,
    "within": counted.within,
    "stretch": counted.span,
    "weekday": counted.weekday,
    "edge": counted.end_of,
    "short_edge": counted.short_end_of,
    "date": named.calendar_date,
    "numeric": named.numeric,
    "season": named.season,
    "year": named.in_year,
}


def resolve(expression: Expression, today: date, ahead: bool | None) -> Days | None:
    """The days of an expression; None when it is no time or could be any."""
    if not expression.is_bare:
        return None
    return _RESOLVERS[expression.kind](Reference(expression, today, ahead))
