"""Which days an expression of time means in a statement, and whether that is certain."""

from collections.abc import Callable
from datetime import date
from typing import TypeAlias

from remem.core.language.times import counted, named
from remem.core.language.times.grammar import Expression, Kind
from remem.core.language.times.reference import Days, Reference

_Resolve: TypeAlias = Callable[[Reference], Days | None]
_RESOLVERS: dict[Kind, _Resolve] = {
    "near_day": counted.near_day,
    "part_of_day": counted.this_part,
    "ago": counted.ago,
    "ahead": counted.in_some,
    "within": counted.within,
    "stretch": counted.stretch,
    "weekday": counted.weekday,
    "edge": counted.end_of,
    "short_edge": counted.short_end,
    "date": named.dated,
    "numeric": named.numeric,
    "season": named.season,
    "year": named.in_year,
}


def resolve(expression: Expression, today: date, ahead: bool | None) -> Days | None:
    """None for what is no time in a statement, or may be any."""
    if not expression.is_bare:
        return None
    return _RESOLVERS[expression.kind](Reference(expression, today, ahead))
