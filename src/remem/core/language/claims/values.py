"""Two values of one slot: the same, one within the other, or alternatives."""

from collections.abc import Sequence

from remem.core.language.claims.attributes import TOPICS, canonical
from remem.core.language.claims.value_kinds import is_country, kinds_of
from remem.core.language.lists import word_set
from remem.core.language.quantities import amounts, kind_of, measures
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
    # "A" within a statement is a grade or a blood type.
    return word.low in _DROPPED and not word.named


def rest_after(long: Sequence[Word], short: Sequence[Word]) -> list[Word] | None:
    """What the longer value goes on with, where it begins as the shorter one; else None."""
    first = stems(short)
    if not first or stems(long)[: len(first)] != first:
        return None
    return [word for word in long if not _is_dropped(word)][len(first) :]


def covers(one: Sequence[Word], other: Sequence[Word]) -> bool:
    """Whether one value says all that the other says."""
    return set(stems(other)) <= set(stems(one))


def only_amounts_differ(one: Sequence[Word], other: Sequence[Word]) -> bool:
    """ "Port 9000" and "port 8080": the same words, other quantities of the same kinds."""
    if _plain(one) != _plain(other):
        return False
    mine, theirs = amounts(one), amounts(other)
    kinds = [kind for kind, _ in mine] == [kind for kind, _ in theirs]
    return bool(mine) and kinds and mine != theirs


def _plain(value: Sequence[Word]) -> tuple[str, ...]:
    return tuple(
        canonical(word.stem) for word in value if kind_of(word) is None and word.low not in _DROPPED
    )


def same_kind(one: Sequence[Word], other: Sequence[Word]) -> bool:
    """Known alternatives, or one thing in two ways: "dark mode" and "light mode"."""
    if _is_list(one) or _is_list(other):
        return False
    mine, theirs = _known(one), _known(other)
    if mine is None or theirs is None or mine.stem == theirs.stem:
        return False
    if not kinds_of([mine]) & kinds_of([theirs]):
        return False
    if mine is one[-1] and theirs is other[-1]:
        return True
    beside, besides = (
        _plain([w for w in one if w is not mine]),
        _plain([w for w in other if w is not theirs]),
    )
    return beside == besides or not beside or not besides


def _known(value: Sequence[Word]) -> Word | None:
    return next((word for word in reversed(value) if kinds_of([word])), None)


def _is_list(value: Sequence[Word]) -> bool:
    return any(word.low in ("and", "or", "&") or word.breaks for word in value)


def could_replace(one: Sequence[Word], other: Sequence[Word], relation: str) -> bool:
    """Whether both may be values of one attribute, by what they look like."""
    numbered, unnumbered = bool(amounts(one)), not amounts(other)
    if numbered == unnumbered and not (_is_product(one) and _is_product(other)):
        return same_kind(one, other)
    if numbered and not unnumbered:
        return _same_measure(one, other)
    mine, theirs = kinds_of(one), kinds_of(other)
    if mine and theirs:
        return bool(mine & theirs)
    if relation in PLACES and is_country(one) != is_country(other):
        return False
    if is_named(one) != is_named(other) and not TOPICS & set(relation.split()):
        return False
    return not (_is_quality(one) or _is_quality(other))


def _is_product(value: Sequence[Word]) -> bool:
    """ "Apache 2.0" is a name that has a number, no number."""
    return bool(value) and value[0].named and kind_of(value[0]) is None


def _same_measure(one: Sequence[Word], other: Sequence[Word]) -> bool:
    """ "30 minutes" may become an hour, and never 12 km."""
    if not {kind for kind, _ in amounts(one)} & {kind for kind, _ in amounts(other)}:
        return False
    mine, theirs = set(_plain(one)), set(_plain(other))
    if not mine or not theirs or mine & theirs:
        return True
    return bool(measures(one) & measures(other))


def is_named(value: Sequence[Word]) -> bool:
    return any(word.text[:1].isupper() for word in value)


def _is_quality(value: Sequence[Word]) -> bool:
    """What a thing is like, rather than what it is."""
    last = value[-1].low if value and value[-1].text.isalpha() and not value[-1].named else ""
    return last in _ADJECTIVES or (len(value) == 1 and last.endswith(_ADJECTIVE_ENDINGS))
