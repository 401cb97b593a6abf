"""Detect statements that apply only for a while or start later, so that the usual fact remains."""

from collections.abc import Sequence
from datetime import date

from remem.core.language.lists import phrases, word_set
from remem.core.language.numbers import count_in
from remem.core.language.times.calendar import MONTHS, WEEKDAYS, date_or_none
from remem.core.language.words import Word

_WORDS = word_set("changes", "limited")
_PHRASES = phrases("changes", "limited_phrases")
_LIMITING = word_set("changes", "limiting")
_HOLIDAYS = word_set("changes", "feasts")
_BEGINNINGS = phrases("changes", "beginnings")
_UNITS = frozenset("day days week weeks weekend weekends month months hour hours".split())
_COUNT_WORDS = frozenset("a an one few several some couple next of the coming these".split())
_END_WORDS = frozenset("the end then tomorrow further next of".split())
_ARTICLES = frozenset("the a an this next coming".split())
# "Since this week", "as of today", "from tonight on": it began and continues.
_ONGOING_PREPOSITIONS = frozenset("since from of starting beginning until till".split())
_PERFECT_WORDS = frozenset("have has had been ago".split())
_FIRST_YEAR, _LAST_YEAR = 1900, 2200
_LOOKAHEAD_WORDS = 4


def limits_of(words: Sequence[Word]) -> dict[str, range]:
    """The word ranges that limit a statement in time, by first word."""
    lowered = [word.low for word in words]
    limits: dict[str, range] = {}
    for index in range(len(lowered)):
        length = _limit_length(lowered, index)
        if length and not (index and lowered[index - 1] in _ONGOING_PREPOSITIONS):
            limits.setdefault(lowered[index], range(index, index + length))
    return limits


def _limit_length(lowered: Sequence[str], index: int) -> int:
    """The number of words in the limit that begins here; 0 when none does."""
    word, after = lowered[index], lowered[index + 1 : index + 1 + _LOOKAHEAD_WORDS]
    if word in _LIMITING or word in _WORDS:
        return 1 if word in _WORDS else len(lowered) - index if index else 1 + len(after[:2])
    lengths = (
        len(phrase) for phrase in _PHRASES if tuple(lowered[index : index + len(phrase)]) == phrase
    )
    if length := max(lengths, default=0):
        return length
    if word == "this" and after and after[0] in WEEKDAYS:
        return 2
    if word in ("over", "at") and _holiday_length(after):
        return 1 + _holiday_length(after)
    if word in ("until", "till"):
        return _until_length(after)
    return _period_length(after, lowered) if word == "for" else 0


def _holiday_length(after: Sequence[str]) -> int:
    for length, word in enumerate(after[:3], 1):
        if word in _HOLIDAYS:
            return length
        if word not in _ARTICLES:
            return 0
    return 0


def _until_length(after: Sequence[str]) -> int:
    """The number of words of a day after "until"; 0 for a time, because "until 22:00" is every
    day."""
    is_day = [
        word in WEEKDAYS or word in MONTHS or word in _HOLIDAYS or word in _END_WORDS
        for word in after[:2]
    ]
    is_numbered = len(after) > 1 and after[0].isdecimal() and after[1] in MONTHS
    return 3 if is_numbered or (is_day and is_day[0]) else 0


def _period_length(after: Sequence[str], lowered: Sequence[str]) -> int:
    """The number of words in "for two weeks"; 0 in "for two weeks we have lived here"."""
    if _PERFECT_WORDS & set(lowered):
        return 0
    for length, word in enumerate(after, 1):
        if word in _UNITS:
            return 1 + length
        if word not in _COUNT_WORDS and count_in(word) is None:
            return 0
    return 0


def starts_later(words: Sequence[Word], today: date | None) -> bool:
    """Whether a statement starts in the future: "from January 2027", said before then, or "from
    March … will"."""
    lowered = [word.low for word in words]
    for index in range(len(lowered)):
        length = max(
            (
                len(phrase)
                for phrase in _BEGINNINGS
                if tuple(lowered[index : index + len(phrase)]) == phrase
            ),
            default=0,
        )
        is_opening = index == 0 and lowered[0] == "in"
        if length or is_opening:
            day, has_year = _leading_day(lowered[index + (length or 1) :], today)
            if day is None or (is_opening and not has_year):
                continue
            if today is None or "will" in lowered:
                return "will" in lowered
            return day > today
    return False


def _leading_day(after: Sequence[str], today: date | None) -> tuple[date | None, bool]:
    """The day that the words begin with, and whether they name its year; without one, the year is
    that of `today`."""
    parts = [word.removesuffix("st").removesuffix("nd").removesuffix("rd").removesuffix("th")
            if word[:1].isdecimal() else word for word in after[:3]]  # fmt: skip
    month = next((MONTHS[word] for word in parts[:2] if word in MONTHS), None)
    if month is None or (parts[0] not in MONTHS and not parts[0].isdecimal()):
        return None, False
    numbers = [int(word) for word in parts if word.isdecimal()]
    year = next((number for number in numbers if _FIRST_YEAR <= number < _LAST_YEAR), None)
    day = next((number for number in numbers if 1 <= number <= 31), 1)
    return date_or_none(
        year or (today.year if today else _FIRST_YEAR), month, day
    ), year is not None
