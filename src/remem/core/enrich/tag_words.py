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
_NEAR_SECRET, _NEAR_CODE = 6, 2
_JOINS = frozenset("is are was were the a an to of for my our its = : - \" “ ” ' `".split())


def secret_words(tokens: Sequence[str]) -> set[str]:
    """Those of a line that stand beside a word such as password, code or number, in lower case:
    they may be what it says."""
    lowered = [token.casefold() for token in tokens]
    found: set[str] = set()
    for at, word in enumerate(lowered):
        if word in _SECRETS:
            found.update(lowered[max(0, at - _NEAR_SECRET) : at + _NEAR_SECRET + 1])
        elif word in _CODES:
            found.update(_beside(lowered[at + 1 :]), _beside(lowered[:at][::-1]))
    return found


def _beside(words: Sequence[str]) -> list[str]:
    """The next few words that are not only there to join."""
    near: list[str] = []
    for word in words[: 4 * _NEAR_CODE]:
        if word in ".!?;" or len(near) == _NEAR_CODE:
            break
        if word not in _JOINS:
            near.append(word)
    return near
