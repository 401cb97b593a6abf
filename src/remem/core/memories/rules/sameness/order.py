"""Whether the same words in another order still say the same; for `compare.py`.

A phrase may move ("On Monday we meet"), and a passive reverses a statement ("the cat was chased by
the dog"). Any other order may swap who did what to whom: "the dog chased the cat"."""

from collections import Counter
from collections.abc import Sequence

from remem.core.language.claims.attributes import PREPOSITIONS
from remem.core.language.claims.parse import content_terms
from remem.core.language.claims.verbs import is_participle
from remem.core.language.quantities import is_quantity
from remem.core.language.words import Word
from remem.core.memories.rules.sameness.tense import BE

_ARTICLES = frozenset("the a an my our his her their old new".split())
_POSSESSIVES = frozenset("'s ’s ' ’".split())
_NEGATIONS = frozenset("not never no without".split())
# Ownership ("of") and passives ("by") have rules of their own.
_PHRASE_STARTS = (PREPOSITIONS | _NEGATIONS) - {"of", "by"}


def is_same_order(first: Sequence[Word], second: Sequence[Word]) -> bool:
    """Whether the words that both have are in an order that means the same."""
    first_terms, second_terms = _common_terms(content_terms(first), content_terms(second))
    if _owners(first) & {(owned, owner) for owner, owned in _owners(second)}:
        return False
    if _is_passive(first) != _is_passive(second):
        return _is_passive_of(first, first_terms, second_terms) or _is_passive_of(
            second, second_terms, first_terms
        )
    if first_terms == second_terms:
        return True
    if Counter(content_terms(first)) == Counter(content_terms(second)) and _phrase_starts(
        first
    ) != _phrase_starts(second):
        return False
    return _is_one_swap(first_terms, second_terms) or _only_phrases_move(first, second)


def _common_terms(first: Sequence[str], second: Sequence[str]) -> tuple[list[str], list[str]]:
    common = Counter(first) & Counter(second)
    return _filter_terms(first, common), _filter_terms(second, common)


def _filter_terms(terms: Sequence[str], wanted: Counter[str]) -> list[str]:
    remaining, filtered = wanted.copy(), []
    for term in terms:
        if remaining[term]:
            remaining[term] -= 1
            filtered.append(term)
    return filtered


def _is_one_swap(first: Sequence[str], second: Sequence[str]) -> bool:
    """Whether two adjacent runs of terms are swapped, and nothing else differs."""
    start = next(at for at in range(len(first)) if first[at] != second[at])
    end = next(at for at in range(len(first), 0, -1) if first[at - 1] != second[at - 1])
    first_run, second_run = list(first[start:end]), list(second[start:end])
    return any(first_run[cut:] + first_run[:cut] == second_run for cut in range(1, len(first_run)))


def _is_passive(words: Sequence[Word]) -> bool:
    return bool(_passive_verbs(words))


def _passive_verbs(words: Sequence[Word]) -> list[Word]:
    """The participles before "by": "is kept by"."""
    return [
        words[at - 1]
        for at, word in enumerate(words)
        if word.low == "by" and at > 1 and is_participle(words[at - 1]) and _contains_be(words[:at])
    ]


def _is_passive_of(words: Sequence[Word], terms: Sequence[str], active: Sequence[str]) -> bool:
    """Whether the words are the passive of `active`: "X is kept by Y, Z" and "Y keeps X, Z"."""
    verbs = [verb for word in _passive_verbs(words) for verb in content_terms([word])]
    return any(
        _is_reversed(terms, list(terms).index(verb), active) for verb in verbs if verb in terms
    )


def _contains_be(words: Sequence[Word]) -> bool:
    return any(word.low in BE or word.low in ("was", "were") for word in words)


def _is_reversed(terms: Sequence[str], verb_at: int, active: Sequence[str]) -> bool:
    object_, rest = list(terms[:verb_at]), list(terms[verb_at + 1 :])
    return any(
        [*rest[:size], terms[verb_at], *object_, *rest[size:]] == list(active)
        for size in range(1, len(rest) + 1)
    )


def _only_phrases_move(first: Sequence[Word], second: Sequence[Word]) -> bool:
    """Whether each preposition occurs once, before the same word, and the rest is in order."""
    first_starts, second_starts = _phrase_starts(first), _phrase_starts(second)
    prepositions = [preposition for preposition, _ in first_starts]
    if first_starts != second_starts or len(prepositions) != len(set(prepositions)):
        return False
    return _terms_outside_phrases(first) == _terms_outside_phrases(second)


def _phrase_starts(words: Sequence[Word]) -> list[tuple[str, str]]:
    """Each preposition or negation with the word that follows it."""
    starts = []
    for at, word in enumerate(words):
        if word.low in _PHRASE_STARTS:
            starts.append((word.low, "".join(content_terms(words[at + 1 :])[:1])))
    return sorted(starts)


def _terms_outside_phrases(words: Sequence[Word]) -> list[str]:
    """The terms that follow no preposition, without numbers and days, which may be anywhere."""
    outside = [
        word
        for at, word in enumerate(words)
        if not is_quantity(word) and _word_before(words, at) not in PREPOSITIONS
    ]
    return list(content_terms(outside))


def _word_before(words: Sequence[Word], at: int) -> str:
    return next((word.low for word in reversed(words[:at]) if word.low not in _ARTICLES), "")


def _owners(words: Sequence[Word]) -> set[tuple[str, str]]:
    """Pairs of an owner and what they own: "Anna's sister", "the sister of Anna"."""
    pairs = set()
    for at, word in enumerate(words):
        before, after = content_terms(words[:at])[-1:], content_terms(words[at + 1 :])[:1]
        if not before or not after:
            continue
        if word.low in _POSSESSIVES:
            pairs.add((before[0], after[0]))
        elif word.low == "of":
            pairs.add((after[0], before[0]))
    return pairs
