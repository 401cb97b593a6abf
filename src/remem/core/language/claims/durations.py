"""The durations in a statement, in seconds; pure."""

from collections.abc import Sequence
from itertools import pairwise

from remem.core.language.numbers import CARDINALS
from remem.core.language.words import Word

_SECONDS = {"second": 1, "minute": 60, "hour": 3_600, "day": 86_400, "week": 604_800}


def durations_in(words: Sequence[Word]) -> set[int]:
    return {
        count * _SECONDS[unit]
        for word, after in pairwise(words)
        if (unit := after.low.removesuffix("s")) in _SECONDS
        and (count := _count(word.low)) is not None
    }


def _count(low: str) -> int | None:
    if low.isascii() and low.isdecimal() and len(low) < 6:
        return int(low)
    return CARDINALS.get(low)
