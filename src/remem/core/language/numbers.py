"""Number words: the tables, and the number that a few words express."""

import re

from remem.core.language.lists import table, word_set

_TABLE = table("numbers")
CARDINALS: dict[str, int] = _TABLE["cardinals"]
"""Zero to twenty, and the tens up to ninety."""
SCALES: dict[str, int] = _TABLE["scales"]
ORDINALS: dict[str, int] = _TABLE["ordinals"]
VAGUE: dict[str, int] = _TABLE["vague"]
FREQUENCIES = word_set("numbers", "frequencies")
ARTICLES = word_set("numbers", "articles")
_COUNTS: dict[str, int] = _TABLE["counts"]
_NAMED = CARDINALS | ORDINALS | _COUNTS
_DIGITS = re.compile(r"(?<![\w.,])(\d{1,3}(?:,\d{3})+|\d{1,9})(?![\w]|[.,]\d)")
_TERM = re.compile(r"[a-z]+")
# A count as it is written before a unit: "3 days", "a couple of miles".
COUNT = (
    rf"(?P<count>\d{{1,3}}|{'|'.join(ARTICLES)}|{'|'.join(CARDINALS)}"
    r"|(?:a )?couple(?: of)?|(?:a )?few|several)"
)


def number_words(largest: int, smallest: int = 0) -> list[str]:
    """The words for the whole numbers from `smallest` to `largest` that are a single word."""
    return [word for word, number in CARDINALS.items() if smallest <= number <= largest]


def read_count(words: str) -> tuple[int, bool]:
    """The number that `COUNT` matched, given in lower case, and whether it is exact."""
    word = words.removesuffix(" of").split()[-1]
    if word in VAGUE:
        return VAGUE[word], False
    if word in ARTICLES:
        return 1, True
    return (int(word) if word.isdigit() else CARDINALS[word]), True


def count_in(text: str) -> int | None:
    """The first number in a text, or None. "One" alone may be a pronoun, so it counts only at the
    beginning."""
    if match := _DIGITS.search(text):
        return int(match[1].replace(",", ""))
    terms = _TERM.findall(text.lower())
    for index, term in enumerate(terms):
        if term in _NAMED and (term != "one" or index == 0):
            return _NAMED[term] + _unit_after(term, terms[index + 1 :])
    return None


def _unit_after(term: str, following: list[str]) -> int:
    """The five of "thirty-five"."""
    tens = CARDINALS.get(term, 0) >= 20
    unit = CARDINALS.get(following[0], 0) if tens and following else 0
    return unit if unit < 10 else 0
