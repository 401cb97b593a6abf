"""Words of time that are misspelt, read as what they are meant to be; pure.

A text is read with its slips corrected; the places in it are those of the text as it is written."""

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from remem.core.language.lists import phrases
from remem.core.language.times import calendar as cal

# In shorter words a slip makes too many other words.
_LEAST = 6
_WORD = re.compile(r"(?<![\w'’-])[A-Za-z]{4,11}(?![\w'’-])")


@dataclass(frozen=True, slots=True)
class Corrected:
    """A text without slips, and where each stretch of it begins in both."""

    text: str
    places: tuple[tuple[int, int], ...] = ((0, 0),)

    def place(self, at: int) -> int:
        """Where a place of the corrected text is in the text as it is written."""
        here, there = self.places[bisect_right(self.places, at, key=lambda one: one[0]) - 1]
        return there + at - here


def correct(text: str) -> Corrected:
    words = ((found, meant_by(found[0].lower())) for found in _WORD.finditer(text))
    slips = [(found, meant) for found, meant in words if meant]
    if not slips:
        return Corrected(text)
    parts, places = [], [(0, 0)]
    done = length = 0
    for found, meant in slips:
        parts += [text[done : found.start()], meant]
        length += found.start() - done + len(meant)
        done = found.end()
        places.append((length, done))
    return Corrected("".join([*parts, text[done:]]), tuple(places))


def meant_by(word: str) -> str | None:
    """None for a word that is none of time, or is written as it should be."""
    if word in _MEANT:
        return _MEANT[word]
    for name in _BY_FRAME.get((word[0], word[-1], len(word) - 1), ()):
        if any(word[:at] + word[at + 1 :] == name for at in range(1, len(word) - 1)):
            return name
    return None


def _slips(word: str) -> Iterator[str]:
    """With a letter left out, or two of them the other way round; the first and the last stay
    where they are."""
    for at in range(1, len(word) - 1):
        yield word[:at] + word[at + 1 :]
    for at, (one, other) in enumerate(pairwise(word[1:-1]), 1):
        yield word[:at] + other + one + word[at + 2 :]


_NAMES = [
    name
    for name in (*cal.MONTH_NAMES, *cal.WEEKDAY_NAMES, "tomorrow", "before")
    if len(name) >= _LEAST
]
_MEANT = {slip: name for name in _NAMES for slip in _slips(name)} | {
    slip: word for word, *slips in phrases("calendar", "slips") for slip in slips
}
# With a letter too many, a word begins and ends as the name does.
_BY_FRAME = {
    frame: [name for name in _NAMES if (name[0], name[-1], len(name)) == frame]
    for frame in {(name[0], name[-1], len(name)) for name in _NAMES}
}
