"""The number that a few words name; pure."""

import re

_WORDS = {
    word: number
    for number, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen"
        " fifteen sixteen seventeen eighteen nineteen twenty".split()
    )
}
_WORDS |= {
    word: number
    for number, word in enumerate(
        "first second third fourth fifth sixth seventh eighth ninth tenth".split(), start=1
    )
}
_WORDS |= {"once": 1, "twice": 2, "both": 2, "couple": 2, "dozen": 12, "single": 1}
_DIGITS = re.compile(r"(?<![\w.,])(\d{1,3}(?:,\d{3})+|\d{1,9})(?![\w]|[.,]\d)")
_TERM = re.compile(r"[a-z]+")


def count_in(text: str) -> int | None:
    """The first; None where there is none. "One" by itself may stand for anything, so it counts
    only at the beginning."""
    if found := _DIGITS.search(text):
        return int(found[1].replace(",", ""))
    terms = _TERM.findall(text.lower())
    for at, term in enumerate(terms):
        if term in _WORDS and (term != "one" or at == 0):
            return _WORDS[term]
    return None
