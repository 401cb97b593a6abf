"""Move an opening time to the end: "Last month I moved" becomes "I moved last month"."""

from collections.abc import Sequence
from dataclasses import replace

from remem.core.language.quantities import kind_of
from remem.core.language.words import Word

_SPEAKERS = frozenset("i we my our".split())
_TIMES = frozenset(
    "day days week weeks weekend month months year years yesterday today spring summer autumn fall"
    " winter morning ago recently lately now time".split()
)
_JOINTS = frozenset(
    "as of since in on from the a an few couple last this these past early late mid several some"
    " about".split()
)
_MAX_OPENING_WORDS = 6


def move_opening_time(words: Sequence[Word]) -> tuple[Word, ...]:
    speaker_index = next(
        (
            index
            for index, word in enumerate(words[: _MAX_OPENING_WORDS + 1])
            if word.low in _SPEAKERS
        ),
        0,
    )
    opening = words[:speaker_index]
    if not any(_is_time(word) for word in opening):
        return tuple(words)
    if not all(_is_time(word) or word.low in _JOINTS for word in opening):
        return tuple(words)
    rest = words[speaker_index:]
    return (*rest, *opening[:-1], replace(opening[-1], breaks=False))


def _is_time(word: Word) -> bool:
    return word.low in _TIMES or kind_of(word) is not None
