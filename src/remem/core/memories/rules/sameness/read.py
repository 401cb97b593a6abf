"""Read the features of a statement that `compare.py` compares: words, names, numbers, tense.

"Yesterday I met Ana at 9" has the name "ana", the number "9" and a past tense."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from remem.core.language.claims.parse import content_terms
from remem.core.language.quantities import amounts, is_quantity
from remem.core.language.words import Word, statements, words
from remem.core.memories.rules.sameness.tense import Tense, tense_of

# Words that change the meaning of a statement when they are added or removed. Words in one string
# mean the same.
QUALIFIERS = {
    word: group.split()[0]
    for group in (
        "every each all", "almost nearly", "about approximately around roughly circa",
        "maybe perhaps possibly probably likely", "might may", "will shall", "only solely",
        "except excluding", "often frequently", "rarely seldom", "usually normally generally",
        "sometimes occasionally", "without", "not never no none nobody nothing nowhere neither nor"
        " cannot", "hardly barely scarcely", "any", "some", "most", "many", "few", "several",
        "half", "both", "either", "before", "after", "until till", "since", "during", "over",
        "under below beneath", "above", "behind", "against", "from", "instead", "than", "unless",
        "if whether", "could", "would", "should", "must", "can", "still", "yet", "again", "back",
        "already", "too", "first", "last", "next", "previous former", "other", "another", "off",
        "out", "away", "down", "up", "once", "twice", "more", "less", "least", "always",
        "temporarily", "formerly", "supposedly allegedly reportedly", "said says claims thinks"
        " believes", "stopped quit ceased", "no-one", "ago", "today", "tomorrow", "yesterday",
        "tonight", "now",
    )
    for word in group.split()
}  # fmt: skip
_DIGITS = re.compile(r"\d+(?:[.,:]\d+)*")
_TOKEN = re.compile(r"[\w./:@#-]++")
_CODE_CHARS = re.compile(r"[\d_/@#]")
_NUMBER_KINDS = frozenset("number time date weekday month year ordinal version money".split())


@dataclass(frozen=True, slots=True)
class ReadStatement:
    words: tuple[Word, ...]
    terms: tuple[str, ...]
    qualifiers: frozenset[str]
    names: tuple[str, ...]
    numbers: Counter[str]
    tense: Tense
    is_question: bool


def read_statement(text: str) -> ReadStatement:
    all_words = tuple(word for line in statements(text) for word in words(line))
    return ReadStatement(
        words=all_words,
        terms=content_terms(all_words),
        qualifiers=frozenset(QUALIFIERS[word.low] for word in all_words if word.low in QUALIFIERS),
        names=tuple(dict.fromkeys(_names(all_words))),
        numbers=_numbers(text, all_words),
        tense=tense_of(text, all_words),
        is_question=text.rstrip().endswith("?"),
    )


def _names(words: Sequence[Word]) -> list[str]:
    return [
        bare_name(word)
        for word in words
        if word.named and word.low not in ("i", "user") and not is_quantity(word)
    ]


def bare_name(word: Word) -> str:
    """The word in lower case without a possessive ending."""
    return word.low.removesuffix("'s").removesuffix("’s").rstrip("'’")


def _numbers(text: str, words: Sequence[Word]) -> Counter[str]:
    """Digits and number words in one form, and whatever looks like a code."""
    written = Counter(_plain_number(digits) for digits in _DIGITS.findall(text))
    spelled = Counter(value for kind, value in amounts(words) if kind in _NUMBER_KINDS)
    codes = Counter(code.casefold().strip(".:") for code in _codes(text))
    return written + spelled + codes


def _plain_number(text: str) -> str:
    bare = text.replace(",", "")
    return bare.removesuffix(":00").removesuffix(".00")


def _codes(text: str) -> list[str]:
    """Words that contain a digit or a sign: versions, paths, handles."""
    return [token for token in _TOKEN.findall(text) if _CODE_CHARS.search(token)]
