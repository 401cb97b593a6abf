"""Which kind of thing a value is, where everybody knows it: such values are alternatives."""

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
    """The kinds its last telling word may be of: spring is a season, and more."""
    return frozenset(next((_KINDS[w.stem] for w in reversed(words) if w.stem in _KINDS), ()))


def is_country(words: Sequence[Word]) -> bool:
    telling = [word.low for word in words if word.low not in _FILLERS]
    return bool(words) and all(low in COUNTRIES for low in telling)
