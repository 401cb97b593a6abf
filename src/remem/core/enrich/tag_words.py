"""Words that are not useful as tags: verbs, units, and possible secrets."""

from collections.abc import Sequence

from remem.core.language.lists import word_list, word_set
from remem.core.language.numbers import CARDINALS, SCALES
from remem.core.language.times.calendar import WEEKDAY_NAMES

_REGULAR = word_list("tags", "regular")
_IRREGULAR = word_list("tags", "irregular")


def _forms(verb: str) -> set[str]:
    stem = verb[:-1] if verb.endswith(("e", "y")) else verb
    third = f"{stem}ies" if verb.endswith("ry") else f"{verb}s"
    past = f"{stem}ied" if verb.endswith("ry") else f"{stem}ed"
    return {verb, third, past, f"{verb}ed"}


VERBS = frozenset(_IRREGULAR).union(*map(_forms, _REGULAR))
UNITS = word_set("tags", "units").union(
    CARDINALS, SCALES, (f"{day}s" for day in WEEKDAY_NAMES), ("half", "dozen")
)
_SECRETS = word_set("tags", "secrets")
_CODES = word_set("tags", "codes")
SENSITIVE = _SECRETS | (_CODES - {"no", "id", "card", "phone", "passport"})
_SECRET_DISTANCE, _CODE_DISTANCE = 6, 2
_FUNCTION_WORDS = frozenset(
    "is are was were the a an to of for my our its = : - \" “ ” ' `".split()
)


def secret_words(tokens: Sequence[str]) -> set[str]:
    """The words of a line near a word such as password, code or number, in lower case: they may be
    the secret."""
    lowered = [token.casefold() for token in tokens]
    secrets: set[str] = set()
    for at, word in enumerate(lowered):
        if word in _SECRETS:
            secrets.update(lowered[max(0, at - _SECRET_DISTANCE) : at + _SECRET_DISTANCE + 1])
        elif word in _CODES:
            secrets.update(_next_words(lowered[at + 1 :]), _next_words(lowered[:at][::-1]))
    return secrets


def _next_words(words: Sequence[str]) -> list[str]:
    """The next few words that are not function words."""
    next_words: list[str] = []
    for word in words[: 4 * _CODE_DISTANCE]:
        if word in ".!?;" or len(next_words) == _CODE_DISTANCE:
            break
        if word not in _FUNCTION_WORDS:
            next_words.append(word)
    return next_words
