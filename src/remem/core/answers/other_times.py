"""Whether a sentence names another time than the question does; pure."""

import re
from datetime import datetime

from remem.core.language.times.calendar import ALSO_WORDS, MONTHS, WEEKDAYS
from remem.core.language.words import words

_YEAR = re.compile(r"(?<![\d.,€$£])\b(?:19|20)\d\d\b(?![.,]?\d)")
# What begins or ends then is true of other times too.
_REACHES = re.compile(
    r"\b(?:from|since|until|till|between|through|before|after|by|every|each)\b|[–-]", re.IGNORECASE
)


def is_of_another_time(question: str, sentence: str, said_at: datetime | None) -> bool:
    """Whether both name a year, a month or a day of the week, and not the same. What was said then
    may be of then."""
    asked = _named(question)
    if not any(asked) or _REACHES.search(question) or _REACHES.search(sentence):
        return False
    said, day = _named(sentence), _day(said_at)
    return any(
        one and other and not one & (other | own)
        for one, other, own in zip(asked, said, day, strict=True)
    )


def _named(text: str) -> tuple[set[int], set[int], set[int]]:
    """The years, the months and the days of the week that stand in it."""
    found = words(text)
    months = {
        MONTHS[word.low]
        for word in found
        if word.low in MONTHS and (word.named or word.low not in ALSO_WORDS)
    }
    days = {WEEKDAYS[low] for word in found if (low := word.low.removesuffix("s")) in WEEKDAYS}
    return {int(year) for year in _YEAR.findall(text)}, months, days


def _day(said_at: datetime | None) -> tuple[set[int], set[int], set[int]]:
    if said_at is None:
        return set(), set(), set()
    return {said_at.year}, {said_at.month}, {said_at.weekday()}
