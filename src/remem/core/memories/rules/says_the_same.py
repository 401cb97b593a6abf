"""Whether a statement that seems to repeat a known one really means the same; for `relate`.

A repetition is not stored, so a wrong yes would lose a statement. "The dog bit the man" does not
repeat "The man bit the dog"."""

import re
from collections import Counter
from collections.abc import Sequence

from remem.core.language.claims.parse import content_terms as terms_of
from remem.core.language.lists import word_set
from remem.core.language.words import Word, words

_SIGNS = re.compile(r"[<>=*+€$£¥%#&|~^\\/]|!(?=\w)|-(?=\d)|\d[.,]\d")
_QUALIFIERS = word_set("changes", "weakens")


def says_the_same(new: str, old: str) -> bool:
    new_words, old_words = words(new), words(old)
    return (
        Counter(_SIGNS.findall(new)) == Counter(_SIGNS.findall(old))
        and not _differs_in_case(new_words, old_words)
        and _qualifiers(new_words) == _qualifiers(old_words)
        and not _is_reordered(new_words, old_words)
    )


def _differs_in_case(new: Sequence[Word], old: Sequence[Word]) -> bool:
    """Whether a code or acronym differs in case: "Tulip92" and "tulip92", "US" and "us".

    The capital that begins a sentence does not count."""
    new_texts, old_texts = ({word.text for word in words} for words in (new, old))
    shared = {text.casefold() for text in new_texts} & {text.casefold() for text in old_texts}
    codes = ({text for text in texts if _is_code(text)} for texts in (new_texts, old_texts))
    return any(code.casefold() in shared for code in set.symmetric_difference(*codes))


def _is_code(word: str) -> bool:
    has_digit = any(map(str.isdigit, word))
    return any(map(str.isupper, word[1:])) or (has_digit and any(map(str.isalpha, word)))


def _qualifiers(words: Sequence[Word]) -> frozenset[str]:
    """Words that change what a statement claims: "deputy" mayor, "failed" to buy."""
    return frozenset(word.low for word in words if word.low in _QUALIFIERS)


def _is_reordered(new: Sequence[Word], old: Sequence[Word]) -> bool:
    """Whether both have the same words in another order: "The dog bit the man"."""
    new_terms, old_terms = terms_of(list(new)), terms_of(list(old))
    return list(new_terms) != list(old_terms) and Counter(new_terms) == Counter(old_terms)
