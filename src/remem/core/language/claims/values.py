"""Compare two values of one slot: equal, one contained in the other, or alternatives."""

from collections.abc import Sequence

from remem.core.language.claims.attributes import TOPICS, canonical
from remem.core.language.claims.value_kinds import is_country, kinds_of
from remem.core.language.lists import word_set
from remem.core.language.quantities import amounts, dimensions, kind_of
from remem.core.language.words import Word, stem

PLACES = frozenset(
    stem(name) for name in ("residence", "location", "origin", "birthplace", "deathplace")
)
_DROPPED = frozenset("a an the my our his her their its of".split())
_ADJECTIVES = word_set("attributes", "adjectives")
_ADJECTIVE_ENDINGS = ("ful", "ous", "ive", "able", "ible", "less", "ing", "ish", "ant", "ent")


def stems(value: Sequence[Word]) -> tuple[str, ...]:
    return tuple(
        amounts([word])[0][1] if kind_of(word) else canonical(word.stem)
        for word in value
        if not _is_dropped(word)
    )


def _is_dropped(word: Word) -> bool:
    # A capital "A" inside a statement is a grade or a blood type.
    return word.low in _DROPPED and not word.named


def rest_after(long: Sequence[Word], short: Sequence[Word]) -> list[Word] | None:
    """The rest of the longer value when it begins with the shorter one; otherwise None."""
    first = stems(short)
    if not first or stems(long)[: len(first)] != first:
        return None
    return [word for word in long if not _is_dropped(word)][len(first) :]


def covers(value: Sequence[Word], other: Sequence[Word]) -> bool:
    """Whether one value contains all terms of the other."""
    return set(stems(other)) <= set(stems(value))


def only_amounts_differ(value: Sequence[Word], other: Sequence[Word]) -> bool:
    """Whether only quantities of the same kinds differ: "port 9000" and "port 8080"."""
    if _stems_without_amounts(value) != _stems_without_amounts(other):
        return False
    value_amounts, other_amounts = amounts(value), amounts(other)
    has_same_kinds = [kind for kind, _ in value_amounts] == [kind for kind, _ in other_amounts]
    return bool(value_amounts) and has_same_kinds and value_amounts != other_amounts


def _stems_without_amounts(value: Sequence[Word]) -> tuple[str, ...]:
    return tuple(
        canonical(word.stem) for word in value if kind_of(word) is None and word.low not in _DROPPED
    )


def same_kind(value: Sequence[Word], other: Sequence[Word]) -> bool:
    """Whether two values are known alternatives: "dark mode" and "light mode"."""
    if _is_list(value) or _is_list(other):
        return False
    word, other_word = _last_known_word(value), _last_known_word(other)
    if word is None or other_word is None or word.stem == other_word.stem:
        return False
    if not kinds_of([word]) & kinds_of([other_word]):
        return False
    if word is value[-1] and other_word is other[-1]:
        return True
    rest, other_rest = (
        _stems_without_amounts([item for item in value if item is not word]),
        _stems_without_amounts([item for item in other if item is not other_word]),
    )
    return rest == other_rest or not rest or not other_rest


def _last_known_word(value: Sequence[Word]) -> Word | None:
    return next((word for word in reversed(value) if kinds_of([word])), None)


def _is_list(value: Sequence[Word]) -> bool:
    return any(word.low in ("and", "or", "&") or word.breaks for word in value)


def could_replace(value: Sequence[Word], other: Sequence[Word], relation: str) -> bool:
    """Whether two values look like values of one attribute."""
    has_amount, other_has_no_amount = bool(amounts(value)), not amounts(other)
    if has_amount == other_has_no_amount and not (_is_product(value) and _is_product(other)):
        return same_kind(value, other)
    if has_amount and not other_has_no_amount:
        return _same_measure(value, other)
    kinds, other_kinds = kinds_of(value), kinds_of(other)
    if kinds and other_kinds:
        return bool(kinds & other_kinds)
    if relation in PLACES and is_country(value) != is_country(other):
        return False
    if is_named(value) != is_named(other) and not TOPICS & set(relation.split()):
        return False
    return not (_is_quality(value) or _is_quality(other))


def _is_product(value: Sequence[Word]) -> bool:
    """Whether a value is a name that contains a number, such as "Apache 2.0"."""
    return bool(value) and value[0].named and kind_of(value[0]) is None


def _same_measure(value: Sequence[Word], other: Sequence[Word]) -> bool:
    """Whether two amounts measure the same: "30 minutes" may become an hour, but never 12 km."""
    if not {kind for kind, _ in amounts(value)} & {kind for kind, _ in amounts(other)}:
        return False
    terms, other_terms = set(_stems_without_amounts(value)), set(_stems_without_amounts(other))
    if not terms or not other_terms or terms & other_terms:
        return True
    return bool(dimensions(value) & dimensions(other))


def is_named(value: Sequence[Word]) -> bool:
    return any(word.text[:1].isupper() for word in value)


def _is_quality(value: Sequence[Word]) -> bool:
    """Whether a value describes what a thing is like, not what it is."""
    last = value[-1].low if value and value[-1].text.isalpha() and not value[-1].named else ""
    return last in _ADJECTIVES or (len(value) == 1 and last.endswith(_ADJECTIVE_ENDINGS))
