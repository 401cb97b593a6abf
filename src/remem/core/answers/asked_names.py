"""The names that a question has, and whether a note has any of them; pure."""

from collections.abc import Collection
from difflib import SequenceMatcher

from remem.core.answers.model import Source
from remem.core.language.detect import may_be_english
from remem.core.language.times.calendar import MONTHS, WEEKDAYS
from remem.core.language.words import words

# More names than a question has; each is compared with every word of a note.
NAMES_MAX = 8
# How alike two names are that differ by a slip, or by an ending, and by how many letters at most.
NEARLY, LETTERS = 0.75, 2
_OF_THE_CALENDAR = frozenset((*MONTHS, *WEEKDAYS))


def names_asked(question: str) -> list[str]:
    """In lower case. In capitals, or where every noun has one, they tell of no name; "OS" is none
    either."""
    found = words(question)
    names = dict.fromkeys(
        word.low
        for word in found
        if word.named and not word.text.isupper() and word.low not in _OF_THE_CALENDAR
    )
    if sum(word.named for word in found) > len(found) / 2 or not may_be_english(question):
        return []
    return list(names)[:NAMES_MAX]


def names_none(asked: Collection[str], source: Source) -> bool:
    """Whether a note has none of these names, nor one that is nearly so. A talk is about its
    speakers, and names them seldom."""
    if not asked or source.speaker:
        return False
    texts = (source.content, *source.heading_path, source.title)
    said = {word.low for text in texts for word in words(text)}
    return not any(name in said or _is_nearly(name, said) for name in asked)


def _is_nearly(name: str, said: Collection[str]) -> bool:
    alike = (one for one in said if one[:1] == name[:1] and abs(len(one) - len(name)) <= LETTERS)
    return any(SequenceMatcher(None, one, name).ratio() >= NEARLY for one in alike)
