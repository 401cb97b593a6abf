"""Towns and lands that everybody knows: who "moved to" one of them lives there."""

from collections.abc import Sequence

from remem.core.language.lists import word_list
from remem.core.language.words import Word

_NAMES = frozenset(
    tuple(name.split("_"))
    for kind in ("towns", "regions", "countries")
    for name in word_list("places", kind)
)
_LONGEST = max(map(len, _NAMES))


def begins_with_place(value: Sequence[Word]) -> bool:
    """Whether a value is a place that is known by its name, whatever is said of it behind that."""
    lows = tuple(word.low for word in value[:_LONGEST])
    length = next((n for n in range(len(lows), 0, -1) if lows[:n] in _NAMES), 0)
    # "Paris Agreement" is no Paris.
    return bool(length) and (value[length - 1].breaks or not _goes_on(value[length:]))


def _goes_on(rest: Sequence[Word]) -> bool:
    return bool(rest) and rest[0].named
