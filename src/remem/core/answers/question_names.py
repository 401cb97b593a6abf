"""Find the names in a question, and check whether a note has any of them; pure."""

from collections.abc import Collection
from difflib import SequenceMatcher

from remem.core.answers.model import Source
from remem.core.language.detect import may_be_english
from remem.core.language.times.calendar import MONTHS, WEEKDAYS
from remem.core.language.words import words

# More names than a question has; each is compared with every word of a note.
NAMES_MAX = 8
# The minimum similarity of two names that differ by a typo or an ending, and the maximum length
# difference.
MIN_SIMILARITY, MAX_LENGTH_DIFFERENCE = 0.75, 2
_CALENDAR_WORDS = frozenset((*MONTHS, *WEEKDAYS))


def names_in_question(question: str) -> list[str]:
    """In lower case. Capitals do not indicate names in text that is all capitals, in acronyms like
    "OS", or in languages that capitalize nouns."""
    question_words = words(question)
    names = dict.fromkeys(
        word.low
        for word in question_words
        if word.named and not word.text.isupper() and word.low not in _CALENDAR_WORDS
    )
    if sum(word.named for word in question_words) > len(question_words) / 2 or not may_be_english(
        question
    ):
        return []
    return list(names)[:NAMES_MAX]


def mentions_no_name(names: Collection[str], source: Source) -> bool:
    """Whether a note has none of these names, nor a similar one. A conversation is about its
    speakers, and seldom names them."""
    if not names or source.speaker:
        return False
    texts = (source.content, *source.heading_path, source.title)
    source_words = {word.low for text in texts for word in words(text)}
    return not any(name in source_words or _has_similar(name, source_words) for name in names)


def _has_similar(name: str, source_words: Collection[str]) -> bool:
    candidates = (
        word
        for word in source_words
        if word[:1] == name[:1] and abs(len(word) - len(name)) <= MAX_LENGTH_DIFFERENCE
    )
    return any(SequenceMatcher(None, word, name).ratio() >= MIN_SIMILARITY for word in candidates)
