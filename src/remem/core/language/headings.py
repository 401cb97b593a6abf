"""What a heading or a title names, and whether two of them name the same; pure."""

import re
from functools import lru_cache

from remem.core.language.claims.attributes import PREPOSITIONS
from remem.core.language.claims.outline import SPEAKERS
from remem.core.language.claims.parse import content as terms_of
from remem.core.language.claims.verbs import find_verb
from remem.core.language.lists import word_set
from remem.core.language.times.calendar import MONTHS, WEEKDAYS
from remem.core.language.words import Word, words

_GENERAL = word_set("headings", "general")
_DATES = frozenset((*MONTHS, *WEEKDAYS)) - {"may", "mar", "sun", "sat"}
_SUFFIX = re.compile(r"\.[a-z][a-z0-9]{1,4}$", re.I)
_JOINTS = re.compile(r"[_/|›>]+")
# "1. Setup", "2.3 Setup", and the second copy of a file.
_NUMBERED = re.compile(r"\A\s*(?:\d{1,3}[.)]|\d{1,3}(?:\.\d{1,3})+\.?)(?=\s)|\(\d{1,3}\)\s*\Z")
_VERSION = re.compile(r"v\.?\d[\w.]*|\d+(?:\.\d+)+", re.I)
_DAY = re.compile(r"(?:19|20)\d\d|\d{1,4}[-./]\d{1,2}(?:[-./]\d{1,4})?|(?:kw|cw|q)\d{1,2}", re.I)
_NUMBER = re.compile(r"\d{1,4}(?:st|nd|rd|th)?")
_TITLE_WORDS, _TITLE_CHARS = 8, 80


@lru_cache(maxsize=1_024)
def thing_of(heading: str) -> frozenset[str]:
    """The words that say what it is of, without dates, versions, numbering, and without what only
    says what kind of text this is."""
    plain = _NUMBERED.sub(" ", _JOINTS.sub(" ", _SUFFIX.sub("", heading)))
    found = words(plain)
    named = [word for at, word in enumerate(found) if not _is_general(found, at)]
    return frozenset(terms_of(named)) - SPEAKERS


def name_different_things(one: str, other: str) -> bool:
    """Each has words that the other has not; one that only says more may be of the same."""
    mine, theirs = thing_of(one), thing_of(other)
    return bool(mine - theirs) and bool(theirs - mine)


def is_title_like(line: str) -> bool:
    """Short, without a verb, and not ended like a sentence."""
    found = words(line)
    if not found or len(found) > _TITLE_WORDS or len(line) > _TITLE_CHARS:
        return False
    return not line.rstrip().endswith((".", "!", "?", ";", ",")) and find_verb(found) is None


def _is_general(found: tuple[Word, ...], at: int) -> bool:
    word = found[at]
    if word.low in _GENERAL or word.low in _DATES or word.low in PREPOSITIONS:
        return True
    if _VERSION.fullmatch(word.low) or _DAY.fullmatch(word.low):
        return True
    beside = [*found[max(0, at - 1) : at], *found[at + 1 : at + 2]]
    by_date = any(one.low in MONTHS or one.low in _GENERAL for one in beside)
    # "Room 12" is not room 14, but meeting 3 is a meeting, and 12 May a day.
    if _NUMBER.fullmatch(word.low):
        return by_date
    return word.low in MONTHS and any(_NUMBER.fullmatch(one.low) for one in beside)
