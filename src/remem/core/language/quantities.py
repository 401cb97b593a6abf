"""Classify words as quantities: numbers, dates, times, versions."""

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Literal

from remem.core.language.numbers import CARDINALS, FREQUENCIES, SCALES
from remem.core.language.times.calendar import MONTHS, WEEKDAY_NAMES, WEEKDAYS
from remem.core.language.words import Word

Kind = Literal["weekday", "month", "date", "time", "year", "money", "version", "number"]

# "Sat" and "sun" are also ordinary words.
_DAYS = frozenset(WEEKDAYS) - {"sat", "sun"} | {f"{day}s" for day in WEEKDAY_NAMES}
_NUMERALS = (
    CARDINALS.keys()
    | SCALES.keys()
    | FREQUENCIES
    | frozenset("dozen half double twice once noon midnight".split())
)
_CLOCK = re.compile(r"\d{1,2}(?::\d{2}){1,2}(?:[ap]m)?|\d{1,2}(?:[ap]m)", re.I)
_DATE = re.compile(r"\d{4}-\d{1,2}-\d{1,2}|\d{1,2}[/.]\d{1,2}[/.]\d{2,4}|\d{1,2}[/]\d{1,2}")
_YEAR = re.compile(r"(?:19|20)\d{2}s?")
_MONEY = re.compile(r"[$€£¥][\d.,]+[kmb]?|[\d.,]+[kmb]?[$€£¥]", re.I)
_VERSION = re.compile(r"v\d+(?:\.\d+)*|\d+(?:\.\d+){2,}(?:[-a-z0-9.]+)?", re.I)
_NUMBER = re.compile(r"#?[+-]?\d[\d.,]*(?:st|nd|rd|th|%|[a-z]{1,4})?", re.I)
_MAX_CHARS = 24
_UNITS = {
    "clock": "am pm o'clock utc cet",
    "time": "hour hours minute minutes second seconds day days week weeks month months year years"
    " ms s h min mins hrs",
    "mass": "kg g mg lb lbs pound pounds ton tons",
    "length": "km m cm mm mi mile miles metres meters feet inches",
    "money": "euro euros dollar dollars usd eur gbp chf yen",
    "data": "gb mb tb kb gib mib bytes",
    "share": "percent",
}
_DIMENSION_OF_UNIT = {unit: name for name, units in _UNITS.items() for unit in units.split()}


def kind_of(word: Word) -> Kind | None:
    return _kind(word.low, word.text[0].isupper()) if len(word.low) <= _MAX_CHARS else None


@lru_cache(maxsize=16_384)
def _kind(low: str, capital: bool) -> Kind | None:
    if low in _DAYS:
        return "weekday"
    # "may" and "march" are mostly verbs when written in lower case.
    if low in MONTHS and (low not in ("may", "march", "mar") or capital):
        return "month"
    if low in _NUMERALS:
        return "number"
    return _kind_by_pattern(low) if any(char.isdigit() for char in low) else None


def _kind_by_pattern(low: str) -> Kind | None:
    if _DATE.fullmatch(low):
        return "date"
    if _CLOCK.fullmatch(low):
        return "time"
    if _MONEY.fullmatch(low):
        return "money"
    if _YEAR.fullmatch(low):
        return "year"
    if _VERSION.fullmatch(low):
        return "version"
    return "number" if _NUMBER.fullmatch(low) else None


def is_quantity(word: Word) -> bool:
    return kind_of(word) is not None


def amounts(words: Sequence[Word]) -> list[tuple[str, str]]:
    """The quantities as (kind, value), such as ("number", "16"); the value includes a unit that
    follows."""
    quantities: list[tuple[str, str]] = []
    for word, following in pairwise([*words, None]):
        if word is not None and (kind := kind_of(word)):
            unit = (
                following.low
                if following is not None and following.low in _DIMENSION_OF_UNIT
                else ""
            )
            quantities.append((kind, f"{_normalize_number(word.low)} {unit}".strip()))
    return quantities


def dimensions(words: Sequence[Word]) -> set[str]:
    """The dimensions (time, mass, …) of the units that occur."""
    return {_DIMENSION_OF_UNIT[word.low] for word in words if word.low in _DIMENSION_OF_UNIT}


def _normalize_number(low: str) -> str:
    if low in CARDINALS:
        return str(CARDINALS[low])
    if low[:1].isdigit():
        return re.sub(r"(?<=\d)(?:st|nd|rd|th)$|,(?=\d{3})|:00$", "", low)
    return low.removesuffix("s") if low in _DAYS else low
