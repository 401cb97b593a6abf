"""Well-known towns and countries: someone who "moved to" one of them lives there."""

from collections.abc import Sequence

from remem.core.language.lists import word_list
from remem.core.language.words import Word

_NAMES = frozenset(
    tuple(name.split("_"))
    for kind in ("towns", "regions", "countries")
    for name in word_list("places", kind)
)
_MAX_WORDS = max(map(len, _NAMES))


def begins_with_place(value: Sequence[Word]) -> bool:
    """Whether a value begins with a well-known place; details may follow."""
    lows = tuple(word.low for word in value[:_MAX_WORDS])
    length = next((count for count in range(len(lows), 0, -1) if lows[:count] in _NAMES), 0)
    # "Paris Agreement" is not Paris.
    return bool(length) and (value[length - 1].breaks or not _name_continues(value[length:]))


def _name_continues(rest: Sequence[Word]) -> bool:
    return bool(rest) and rest[0].named
