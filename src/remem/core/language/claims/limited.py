"""What a statement says for a while only, or from a day to come on: what is usual stays so."""

from collections.abc import Sequence
from datetime import date

from remem.core.language.lists import phrases, word_set
from remem.core.language.numbers import count_in
from remem.core.language.times.calendar import MONTHS, WEEKDAYS, a_day
from remem.core.language.words import Word

_WORDS = word_set("changes", "limited")
_PHRASES = phrases("changes", "limited_phrases")
_LIMITING = word_set("changes", "limiting")
_FEASTS = word_set("changes", "feasts")
_BEGINNINGS = phrases("changes", "beginnings")
_UNITS = frozenset("day days week weeks weekend weekends month months hour hours".split())
_FEW = frozenset("a an one few several some couple next of the coming these".split())
_ENDS = frozenset("the end then tomorrow further next of".split())
_ARTICLES = frozenset("the a an this next coming".split())
# "Since this week", "as of today", "from tonight on": it began, and goes on.
_BEGUN = frozenset("since from of starting beginning until till".split())
_PERFECT = frozenset("have has had been ago".split())
_FIRST_YEAR, _LAST_YEAR = 1900, 2200
_LOOK = 4


def limits_of(found: Sequence[Word]) -> dict[str, range]:
    """The words that limit it in time, by kind."""
    lows = [word.low for word in found]
    limits: dict[str, range] = {}
    for at in range(len(lows)):
        length = _length(lows, at)
        if length and not (at and lows[at - 1] in _BEGUN):
            limits.setdefault(lows[at], range(at, at + length))
    return limits


def _length(lows: Sequence[str], at: int) -> int:
    """Of the limit that begins here; 0 where there is none."""
    word, after = lows[at], lows[at + 1 : at + 1 + _LOOK]
    if word in _LIMITING or word in _WORDS:
        return 1 if word in _WORDS else len(lows) - at if at else 1 + len(after[:2])
    known = (len(one) for one in _PHRASES if tuple(lows[at : at + len(one)]) == one)
    if length := max(known, default=0):
        return length
    if word == "this" and after and after[0] in WEEKDAYS:
        return 2
    if word in ("over", "at") and _feast(after):
        return 1 + _feast(after)
    if word in ("until", "till"):
        return _until(after)
    return _for_a_while(after, lows) if word == "for" else 0


def _feast(after: Sequence[str]) -> int:
    for length, low in enumerate(after[:3], 1):
        if low in _FEASTS:
            return length
        if low not in _ARTICLES:
            return 0
    return 0


def _until(after: Sequence[str]) -> int:
    """Until a day; "until 22:00" is every day."""
    days = [low in WEEKDAYS or low in MONTHS or low in _FEASTS or low in _ENDS for low in after[:2]]
    numbered = len(after) > 1 and after[0].isdecimal() and after[1] in MONTHS
    return 3 if numbered or (days and days[0]) else 0


def _for_a_while(after: Sequence[str], lows: Sequence[str]) -> int:
    """ "For two weeks", but not "for two weeks we have lived here"."""
    if _PERFECT & set(lows):
        return 0
    for length, low in enumerate(after, 1):
        if low in _UNITS:
            return 1 + length
        if low not in _FEW and count_in(low) is None:
            return 0
    return 0


def starts_later(found: Sequence[Word], today: date | None) -> bool:
    """ "From January 2027", said before that, and "from March … will"."""
    lows = [word.low for word in found]
    for at in range(len(lows)):
        length = max(
            (len(one) for one in _BEGINNINGS if tuple(lows[at : at + len(one)]) == one), default=0
        )
        opens = at == 0 and lows[0] == "in"
        if length or opens:
            day, has_year = _day(lows[at + (length or 1) :], today)
            if day is None or (opens and not has_year):
                continue
            if today is None or "will" in lows:
                return "will" in lows
            return day > today
    return False


def _day(after: Sequence[str], today: date | None) -> tuple[date | None, bool]:
    """The day that a few words begin with, in the year of saying where they name none."""
    read = [low.removesuffix("st").removesuffix("nd").removesuffix("rd").removesuffix("th")
            if low[:1].isdecimal() else low for low in after[:3]]  # fmt: skip
    month = next((MONTHS[low] for low in read[:2] if low in MONTHS), None)
    if month is None or (read[0] not in MONTHS and not read[0].isdecimal()):
        return None, False
    numbers = [int(low) for low in read if low.isdecimal()]
    year = next((one for one in numbers if _FIRST_YEAR <= one < _LAST_YEAR), None)
    day = next((one for one in numbers if 1 <= one <= 31), 1)
    return a_day(year or (today.year if today else _FIRST_YEAR), month, day), year is not None
