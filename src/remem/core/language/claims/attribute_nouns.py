"""Attributes as nouns: "the CEO of Acme", "Acme's CEO", "my favourite colour"."""

from collections.abc import Sequence

from remem.core.language.claims.attributes import MANY_NOUNS, ONE_NOUNS, Arity, canonical
from remem.core.language.words import Word

_ARTICLES = frozenset("the a an".split())
_POSSESSIVES = frozenset("my our your his her its their".split())
_JOINTS = frozenset("of for where that in which who".split())
_TIME_ADJECTIVES = frozenset("new current old latest present own".split())
_UNIQUE_ADJECTIVES = frozenset("favorit best main primary default".split())

Attribute = tuple[list[Word], list[Word]]
"""The words that name it, and the words that name its owner."""


def attribute_of(words: Sequence[Word]) -> Attribute | None:
    lowered = [word.low for word in words]
    joint_index = next(
        (index for index, low in enumerate(lowered) if low in _JOINTS and index > 0), 0
    )
    if lowered[0] in _ARTICLES and joint_index and _names_attribute(words[joint_index - 1]):
        return _strip_modifiers(words[:joint_index]), list(words[joint_index + 1 :])
    if "'s" in lowered:
        index = len(lowered) - 1 - lowered[::-1].index("'s")
        return (
            (_strip_modifiers(words[index + 1 :]), list(words[:index]))
            if index + 1 < len(words)
            else None
        )
    if lowered[0] in _POSSESSIVES and len(words) > 1:
        return _strip_modifiers(words[1:]), [words[0]]
    noun = _strip_modifiers(words)
    is_known = bool(noun) and noun[-1].stem in ONE_NOUNS and not noun[-1].named
    return (noun, []) if is_known else None


def is_definite(words: Sequence[Word]) -> bool:
    first = words[0].low
    return first in _POSSESSIVES or first == "the" or any(word.low == "'s" for word in words)


def arity_of(attribute: Sequence[Word], owner: Sequence[Word]) -> Arity:
    """A singular attribute has one value, unless it is known to have more."""
    if not attribute:
        return "open"
    is_unique = any(canonical(word.stem) in _UNIQUE_ADJECTIVES for word in attribute)
    if attribute[-1].stem in MANY_NOUNS and not is_unique:
        return "many"
    return "many" if is_one_of_several(owner) else "one"


def is_one_of_several(owner: Sequence[Word]) -> bool:
    """Whether the owner may be one of several: "my brother", "Anna's brother". Only a name would
    tell which."""
    possessives = [
        index for index, word in enumerate(owner) if word.low in _POSSESSIVES or word.low == "'s"
    ]
    possessed = owner[possessives[-1] + 1 :] if possessives else ()
    has_many = any(word.stem in MANY_NOUNS for word in possessed[-1:])
    return has_many and not any(word.named for word in possessed)


def _names_attribute(word: Word) -> bool:
    """Whether a noun before "of" is an attribute: "the Prime Minister of" is, but "The Lord of the
    Rings" is a title."""
    return not word.named or word.text.isupper() or word.stem in ONE_NOUNS


def _strip_modifiers(words: Sequence[Word]) -> list[Word]:
    return [
        word for word in words if word.low not in _ARTICLES and word.low not in _TIME_ADJECTIVES
    ]
