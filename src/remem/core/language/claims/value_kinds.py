"""The kinds of well-known values. Values of one kind are alternatives."""

from collections.abc import Sequence

from remem.core.language.lists import table, word_list, word_set
from remem.core.language.words import Word, stem

_KINDS: dict[str, set[str]] = {}
for _kind in table("kinds"):
    for _word in word_list("kinds", _kind):
        _KINDS.setdefault(stem(_word), set()).add(_kind)
COUNTRIES = word_set("places", "countries")
_FILLERS = frozenset("the a an of and republic kingdom united states new south north".split())


def kinds_of(words: Sequence[Word]) -> frozenset[str]:
    """The kinds of the last word that has any; spring is a season, and more."""
    return frozenset(
        next((_KINDS[word.stem] for word in reversed(words) if word.stem in _KINDS), ())
    )


def is_country(words: Sequence[Word]) -> bool:
    names = [word.low for word in words if word.low not in _FILLERS]
    return bool(words) and all(low in COUNTRIES for low in names)
