"""Whether the same words in another order still say the same: pure, and careful.

A phrase may stand elsewhere, and a passive turns a statement around. Anything else may tell who did
what to whom the other way: "the dog chased the cat"."""

from collections import Counter
from collections.abc import Sequence

from remem.core.language.claims.attributes import PREPOSITIONS
from remem.core.language.claims.parse import content
from remem.core.language.claims.verbs import is_participle
from remem.core.language.quantities import is_quantity
from remem.core.language.words import Word
from remem.core.memories.rules.sameness.tense import BE

_ARTICLES = frozenset("the a an my our his her their old new".split())
_POSSESSIVES = frozenset("'s ’s ' ’".split())
_NEGATIONS = frozenset("not never no without".split())
# Ownership and passives have rules of their own.
_GUIDES = (PREPOSITIONS | _NEGATIONS) - {"of", "by"}


def is_same_order(mine: Sequence[Word], theirs: Sequence[Word]) -> bool:
    """Of the words that both have."""
    one, other = _common(content(mine), content(theirs))
    if _owners(mine) & {(owned, owner) for owner, owned in _owners(theirs)}:
        return False
    if _is_passive(mine) != _is_passive(theirs):
        return _is_passive_of(mine, one, other) or _is_passive_of(theirs, other, one)
    if one == other:
        return True
    if Counter(content(mine)) == Counter(content(theirs)) and _guided(mine) != _guided(theirs):
        return False
    return _is_one_move(one, other) or _only_phrases_move(mine, theirs)


def _common(one: Sequence[str], other: Sequence[str]) -> tuple[list[str], list[str]]:
    both = Counter(one) & Counter(other)
    return _only(one, both), _only(other, both)


def _only(terms: Sequence[str], wanted: Counter[str]) -> list[str]:
    left, kept = wanted.copy(), []
    for term in terms:
        if left[term]:
            left[term] -= 1
            kept.append(term)
    return kept


def _is_one_move(one: Sequence[str], other: Sequence[str]) -> bool:
    """Whether two neighbouring stretches have changed places, and nothing else."""
    start = next(at for at in range(len(one)) if one[at] != other[at])
    end = next(at for at in range(len(one), 0, -1) if one[at - 1] != other[at - 1])
    first, second = list(one[start:end]), list(other[start:end])
    return any(first[cut:] + first[:cut] == second for cut in range(1, len(first)))


def _is_passive(words: Sequence[Word]) -> bool:
    return bool(_passive_verbs(words))


def _passive_verbs(words: Sequence[Word]) -> list[Word]:
    """Those before "by": "is kept by"."""
    return [
        words[at - 1]
        for at, word in enumerate(words)
        if word.low == "by" and at > 1 and is_participle(words[at - 1]) and _has_be(words[:at])
    ]


def _is_passive_of(words: Sequence[Word], terms: Sequence[str], active: Sequence[str]) -> bool:
    """ "X is kept by Y, Z" and "Y keeps X, Z"."""
    verbs = [verb for word in _passive_verbs(words) for verb in content([word])]
    return any(_turned(terms, list(terms).index(verb), active) for verb in verbs if verb in terms)


def _has_be(words: Sequence[Word]) -> bool:
    return any(word.low in BE or word.low in ("was", "were") for word in words)


def _turned(terms: Sequence[str], verb: int, active: Sequence[str]) -> bool:
    object_, rest = list(terms[:verb]), list(terms[verb + 1 :])
    return any(
        [*rest[:size], terms[verb], *object_, *rest[size:]] == list(active)
        for size in range(1, len(rest) + 1)
    )


def _only_phrases_move(mine: Sequence[Word], theirs: Sequence[Word]) -> bool:
    """Each preposition stands once, before the same word, and the rest is in the same order."""
    one, other = _guided(mine), _guided(theirs)
    prepositions = [guide for guide, _ in one]
    if one != other or len(prepositions) != len(set(prepositions)):
        return False
    return _core(mine) == _core(theirs)


def _guided(words: Sequence[Word]) -> list[tuple[str, str]]:
    """Each preposition or negation with the word that follows it."""
    found = []
    for at, word in enumerate(words):
        if word.low in _GUIDES:
            found.append((word.low, "".join(content(words[at + 1 :])[:1])))
    return sorted(found)


def _core(words: Sequence[Word]) -> list[str]:
    """What no preposition leads; numbers and days stand where they like."""
    kept = [
        word
        for at, word in enumerate(words)
        if not is_quantity(word) and _before(words, at) not in PREPOSITIONS
    ]
    return list(content(kept))


def _before(words: Sequence[Word], at: int) -> str:
    return next((word.low for word in reversed(words[:at]) if word.low not in _ARTICLES), "")


def _owners(words: Sequence[Word]) -> set[tuple[str, str]]:
    """Pairs of an owner and what is theirs: "Anna's sister", "the sister of Anna"."""
    pairs = set()
    for at, word in enumerate(words):
        before, after = content(words[:at])[-1:], content(words[at + 1 :])[:1]
        if not before or not after:
            continue
        if word.low in _POSSESSIVES:
            pairs.add((before[0], after[0]))
        elif word.low == "of":
            pairs.add((after[0], before[0]))
    return pairs
