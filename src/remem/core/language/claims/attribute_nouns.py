"""Attributes as nouns: "the CEO of Acme", "Acme's CEO", "my favourite colour"."""

from collections.abc import Sequence

from remem.core.language.claims.attributes import MANY_NOUNS, ONE_NOUNS, Arity, canonical
from remem.core.language.words import Word

_ARTICLES = frozenset("the a an".split())
_OWNERS = frozenset("my our your his her its their".split())
_JOINTS = frozenset("of for where that in which who".split())
_PASSING = frozenset("new current old latest present own".split())
_SINGLING = frozenset("favorit best main primary default".split())

Attribute = tuple[list[Word], list[Word]]
"""The words that name it, and the words that name its owner."""


def attribute_of(words: Sequence[Word]) -> Attribute | None:
    lows = [word.low for word in words]
    joint = next((at for at, low in enumerate(lows) if low in _JOINTS and at > 0), 0)
    if lows[0] in _ARTICLES and joint and _names_attribute(words[joint - 1]):
        return _bare(words[:joint]), list(words[joint + 1 :])
    if "'s" in lows:
        at = len(lows) - 1 - lows[::-1].index("'s")
        return (_bare(words[at + 1 :]), list(words[:at])) if at + 1 < len(words) else None
    if lows[0] in _OWNERS and len(words) > 1:
        return _bare(words[1:]), [words[0]]
    bare = _bare(words)
    known = bool(bare) and bare[-1].stem in ONE_NOUNS and not bare[-1].named
    return (bare, []) if known else None


def is_definite(words: Sequence[Word]) -> bool:
    first = words[0].low
    return first in _OWNERS or first == "the" or any(word.low == "'s" for word in words)


def arity_of(attribute: Sequence[Word], owner: Sequence[Word]) -> Arity:
    """An attribute in the singular has one value, unless it is known that there may be more."""
    if not attribute:
        return "open"
    singled = any(canonical(word.stem) in _SINGLING for word in attribute)
    if attribute[-1].stem in MANY_NOUNS and not singled:
        return "many"
    return "many" if is_one_of_several(owner) else "one"


def is_one_of_several(owner: Sequence[Word]) -> bool:
    """ "My brother", "Anna's brother": which of the brothers? Only a name would tell."""
    owned = [at for at, word in enumerate(owner) if word.low in _OWNERS or word.low == "'s"]
    thing = owner[owned[-1] + 1 :] if owned else ()
    several = any(word.stem in MANY_NOUNS for word in thing[-1:])
    return several and not any(word.named for word in thing)


def _names_attribute(word: Word) -> bool:
    """ "The Lord of the Rings" is no lord that the Rings have; "the Prime Minister of" is one."""
    return not word.named or word.text.isupper() or word.stem in ONE_NOUNS


def _bare(words: Sequence[Word]) -> list[Word]:
    return [word for word in words if word.low not in _ARTICLES and word.low not in _PASSING]
