"""A statement as it is compared: its words, names, numbers and tense."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from remem.core.language.claims.parse import content
from remem.core.language.quantities import amounts, is_quantity
from remem.core.language.words import Word, statements, words
from remem.core.memories.rules.sameness.tense import Tense, tense_of

# Words that a statement does not lose or gain without saying something else. Those on a line mean
# the same.
WEIGHTY = {
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
_MARK_OF_CODE = re.compile(r"[\d_/@#]")
_KINDS_OF_NUMBER = frozenset("number time date weekday month year ordinal version money".split())


@dataclass(frozen=True, slots=True)
class ReadStatement:
    words: tuple[Word, ...]
    terms: tuple[str, ...]
    weighty: frozenset[str]
    names: tuple[str, ...]
    numbers: Counter[str]
    tense: Tense
    asks: bool


def read_statement(text: str) -> ReadStatement:
    found = tuple(word for line in statements(text) for word in words(line))
    return ReadStatement(
        words=found,
        terms=content(found),
        weighty=frozenset(WEIGHTY[word.low] for word in found if word.low in WEIGHTY),
        names=tuple(dict.fromkeys(_names(found))),
        numbers=_numbers(text, found),
        tense=tense_of(text, found),
        asks=text.rstrip().endswith("?"),
    )


def _names(found: Sequence[Word]) -> list[str]:
    return [
        bare_name(word)
        for word in found
        if word.named and word.low not in ("i", "user") and not is_quantity(word)
    ]


def bare_name(word: Word) -> str:
    return word.low.removesuffix("'s").removesuffix("’s").rstrip("'’")


def _numbers(text: str, found: Sequence[Word]) -> Counter[str]:
    """Figures and number words in one form, and whatever looks like a code."""
    written = Counter(_plain_number(one) for one in _DIGITS.findall(text))
    spelled = Counter(value for kind, value in amounts(found) if kind in _KINDS_OF_NUMBER)
    codes = Counter(one.casefold().strip(".:") for one in _codes(text))
    return written + spelled + codes


def _plain_number(text: str) -> str:
    bare = text.replace(",", "")
    return bare.removesuffix(":00").removesuffix(".00")


def _codes(text: str) -> list[str]:
    """Words with a number or a sign in them: versions, paths, handles."""
    return [token for token in _TOKEN.findall(text) if _MARK_OF_CODE.search(token)]
