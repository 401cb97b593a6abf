"""The topic of a heading or title, and whether two of them have different topics; pure."""

import re
from functools import lru_cache

from remem.core.language.claims.attributes import PREPOSITIONS
from remem.core.language.claims.outline import SPEAKERS
from remem.core.language.claims.parse import content_terms as terms_of
from remem.core.language.claims.verbs import find_verb
from remem.core.language.lists import word_set
from remem.core.language.times.calendar import MONTHS, WEEKDAYS
from remem.core.language.words import Word, words

_GENERAL_WORDS = word_set("headings", "general")
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
def topic_terms(heading: str) -> frozenset[str]:
    """The terms that name the topic of a heading, without dates, versions, numbering and words for
    kinds of text."""
    plain = _NUMBERED.sub(" ", _JOINTS.sub(" ", _SUFFIX.sub("", heading)))
    heading_words = words(plain)
    topic_words = [
        word for index, word in enumerate(heading_words) if not _is_general(heading_words, index)
    ]
    return frozenset(terms_of(topic_words)) - SPEAKERS


def have_different_topics(heading: str, other_heading: str) -> bool:
    """Whether each heading has a term that the other lacks. A heading that only adds terms may have
    the same topic."""
    terms, other_terms = topic_terms(heading), topic_terms(other_heading)
    return bool(terms - other_terms) and bool(other_terms - terms)


def is_title_like(line: str) -> bool:
    """Whether a line is short, has no verb and does not end like a sentence."""
    line_words = words(line)
    if not line_words or len(line_words) > _TITLE_WORDS or len(line) > _TITLE_CHARS:
        return False
    return not line.rstrip().endswith((".", "!", "?", ";", ",")) and find_verb(line_words) is None


def _is_general(heading_words: tuple[Word, ...], index: int) -> bool:
    word = heading_words[index]
    if word.low in _GENERAL_WORDS or word.low in _DATES or word.low in PREPOSITIONS:
        return True
    if _VERSION.fullmatch(word.low) or _DAY.fullmatch(word.low):
        return True
    adjacent = [*heading_words[max(0, index - 1) : index], *heading_words[index + 1 : index + 2]]
    is_near_month = any(
        neighbour.low in MONTHS or neighbour.low in _GENERAL_WORDS for neighbour in adjacent
    )
    # "Room 12" differs from "room 14", but "meeting 3" is just a meeting and "12 May" a date.
    if _NUMBER.fullmatch(word.low):
        return is_near_month
    return word.low in MONTHS and any(_NUMBER.fullmatch(neighbour.low) for neighbour in adjacent)
