"""Check whether a sentence names another time than the question; pure."""

import re
from datetime import datetime

from remem.core.language.times.calendar import ALSO_WORDS, MONTHS, WEEKDAYS
from remem.core.language.words import words

_YEAR = re.compile(r"(?<![\d.,€$£])\b(?:19|20)\d\d\b(?![.,]?\d)")
# These words extend a statement to other times.
_EXTENDS = re.compile(
    r"\b(?:from|since|until|till|between|through|before|after|by|every|each)\b|[–-]", re.IGNORECASE
)


def names_another_time(question: str, sentence: str, said_at: datetime | None) -> bool:
    """Whether both name a year, a month or a weekday, but different ones. The time of saying counts
    as named."""
    question_times = _named_times(question)
    if not any(question_times) or _EXTENDS.search(question) or _EXTENDS.search(sentence):
        return False
    sentence_times, times_said = _named_times(sentence), _times_of(said_at)
    return any(
        in_question and in_sentence and not in_question & (in_sentence | when_said)
        for in_question, in_sentence, when_said in zip(
            question_times, sentence_times, times_said, strict=True
        )
    )


def _named_times(text: str) -> tuple[set[int], set[int], set[int]]:
    """The years, months and weekdays in a text."""
    text_words = words(text)
    months = {
        MONTHS[word.low]
        for word in text_words
        if word.low in MONTHS and (word.named or word.low not in ALSO_WORDS)
    }
    days = {WEEKDAYS[low] for word in text_words if (low := word.low.removesuffix("s")) in WEEKDAYS}
    return {int(year) for year in _YEAR.findall(text)}, months, days


def _times_of(said_at: datetime | None) -> tuple[set[int], set[int], set[int]]:
    if said_at is None:
        return set(), set(), set()
    return {said_at.year}, {said_at.month}, {said_at.weekday()}
