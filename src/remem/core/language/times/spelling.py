"""Correct misspelt time words; pure.

A text is parsed with its typos corrected; offsets are mapped back to the text as written."""

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from remem.core.language.lists import phrases
from remem.core.language.times import calendar as cal

# In shorter words a typo often makes another word.
_MIN_CHARS = 6
_WORD = re.compile(r"(?<![\w'’-])[A-Za-z]{4,11}(?![\w'’-])")


@dataclass(frozen=True, slots=True)
class Corrected:
    """A corrected text, and where each part begins in both texts."""

    text: str
    offsets: tuple[tuple[int, int], ...] = ((0, 0),)

    def original_offset(self, at: int) -> int:
        """The offset in the original text for an offset in the corrected text."""
        start, original_start = self.offsets[
            bisect_right(self.offsets, at, key=lambda pair: pair[0]) - 1
        ]
        return original_start + at - start


def correct(text: str) -> Corrected:
    words = ((match, intended_word(match[0].lower())) for match in _WORD.finditer(text))
    corrections = [(match, correction) for match, correction in words if correction]
    if not corrections:
        return Corrected(text)
    parts, offsets = [], [(0, 0)]
    done = length = 0
    for match, correction in corrections:
        parts += [text[done : match.start()], correction]
        length += match.start() - done + len(correction)
        done = match.end()
        offsets.append((length, done))
    return Corrected("".join([*parts, text[done:]]), tuple(offsets))


def intended_word(word: str) -> str | None:
    """The time word meant by a misspelling; None for other words and correct spellings."""
    if word in _NAME_OF_MISSPELLING:
        return _NAME_OF_MISSPELLING[word]
    for name in _BY_FRAME.get((word[0], word[-1], len(word) - 1), ()):
        if any(word[:at] + word[at + 1 :] == name for at in range(1, len(word) - 1)):
            return name
    return None


def _misspellings(word: str) -> Iterator[str]:
    """Misspellings with one letter missing or two letters swapped; the first and last letters
    stay."""
    for at in range(1, len(word) - 1):
        yield word[:at] + word[at + 1 :]
    for at, (letter, next_letter) in enumerate(pairwise(word[1:-1]), 1):
        yield word[:at] + next_letter + letter + word[at + 2 :]


_TIME_WORDS = [
    name
    for name in (*cal.MONTH_NAMES, *cal.WEEKDAY_NAMES, "tomorrow", "before")
    if len(name) >= _MIN_CHARS
]
_NAME_OF_MISSPELLING = {
    misspelling: name for name in _TIME_WORDS for misspelling in _misspellings(name)
} | {
    misspelling: word
    for word, *misspellings in phrases("calendar", "slips")
    for misspelling in misspellings
}
# A misspelling with one extra letter begins and ends like the name.
_BY_FRAME = {
    frame: [name for name in _TIME_WORDS if (name[0], name[-1], len(name)) == frame]
    for frame in {(name[0], name[-1], len(name)) for name in _TIME_WORDS}
}
