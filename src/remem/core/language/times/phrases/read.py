"""Read times in any language: the one that a phrase names, or those in a text."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from typing import NamedTuple

from remem.core.language.times.phrases.clock import TWELVE_HOURS, clock_beside
from remem.core.language.times.phrases.days import DATES, DayRules, MonthFirst
from remem.core.language.times.phrases.symbols import (
    Found,
    Options,
    TimeSymbol,
    options_of,
    readings_of,
)
from remem.core.language.times.phrases.words import TimeWord, tokens_of

# What says by itself that a phrase is a time, in a text; the others need a word beside them.
_STRONG = frozenset(
    "year_first full month_day named with_dash edge near step_day ahead edge_unit day".split()
)
_TIME_SYMBOLS = frozenset("NQMWR")
_MONTHS = 12
_MAX_SEGMENT = 24
_UNITS_BEHIND = re.compile(
    r"\s?(?:[€$£¥%]|(?:kg|g|km|m|cm|mm|l|ml|eur|zł|kč|kr|руб|грн|tl)\b)", re.I
)


@dataclass(frozen=True, slots=True)
class PhraseTime:
    """A day (`grain` day), or the first day of a longer time, and the time of day if named."""

    day: date
    grain: str = "day"
    clock: time | None = None
    relative: bool = False


class TextTime(NamedTuple):
    """A time in a text, characters `start` to `end`."""

    start: int
    end: int
    time: PhraseTime


@dataclass(frozen=True, slots=True)
class _Best:
    score: int
    time: PhraseTime
    kind: str
    first: int
    last: int
    items: Sequence[TimeSymbol]


def read_phrase(
    text: str,
    written: datetime,
    languages: Sequence[str],
    *,
    ahead: bool | None = True,
    month_first: MonthFirst = None,
) -> PhraseTime | None:
    """The time that a phrase names, relative to when it was written. A day without a year is the
    next one, the last one if `ahead` is false, and if it is None the next one but for days that are
    just over. The languages' words are
    known, those of the first one best."""
    days = DayRules(written.date(), ahead, month_first)
    best = _best(options_of(tokens_of(text), languages), days, _has_halves(languages))
    return best.time if best else None


def times_in_text(
    text: str,
    written: datetime,
    languages: Sequence[str],
    *,
    ahead: bool | None = True,
    month_first: MonthFirst = None,
    tokens: Sequence[TimeWord] | None = None,
) -> list[TextTime]:
    """The times of a text from left to right, as far as they are certainly times; `tokens` are its
    words, if they are known."""
    days = DayRules(written.date(), ahead, month_first)
    tokens = tokens_of(text) if tokens is None else tokens
    halves = _has_halves(languages)
    return [
        TextTime(best.items[best.first].start, best.items[best.last].end, best.time)
        for segment in _segments(options_of(tokens, languages))
        for best in _all_in(segment, days, halves, text)
    ]


def _all_in(segment: Options, days: DayRules, halves: bool, text: str) -> Iterator[_Best]:
    while any(item.symbol in _TIME_SYMBOLS for item in _each(segment)):
        best = _best(segment, days, halves)
        if best is None:
            return
        if _is_certain(best, text):
            yield best
        segment = segment[best.last + 1 :]


def _each(segment: Options) -> Iterator[TimeSymbol]:
    return (item for found in segment for item in found)


def _segments(options: Options) -> Iterator[Options]:
    """Words of time in a row."""
    segment: Options = []
    for found in options:
        if found[0].symbol == "|" or len(segment) >= _MAX_SEGMENT:
            yield segment
            segment = []
        if found[0].symbol != "|":
            segment.append(found)
    yield segment


def _best(options: Options, days: DayRules, halves: bool) -> _Best | None:
    readings = (_read(days, items, halves) for items in readings_of(options))
    known = [best for best in readings if best]
    return max(known, key=lambda best: best.score, default=None)


def _read(days: DayRules, items: Sequence[TimeSymbol], halves: bool) -> _Best | None:
    """What the first pattern that fits says, and how well the phrase agrees with it."""
    symbols = "".join(item.symbol for item in items)
    if "X" in symbols:
        return None
    for kind, pattern in DATES:
        for match in pattern.finditer(symbols):
            if dated := days.read(kind, Found(match, items)):
                return _assemble(kind, match, items, symbols, dated, halves)
    return None


def _assemble(
    kind: str,
    match: re.Match[str],
    items: Sequence[TimeSymbol],
    symbols: str,
    dated: tuple[date, str, bool],
    halves: bool,
) -> _Best:
    day, grain, relative = dated
    beside = clock_beside(symbols, items, match, has_halves=halves) if grain == "day" else None
    clock, first, last = beside or (None, match.start(), match.start())
    weekdays = {item.value for item in items if item.symbol == "W"}
    agrees = 3 if day.weekday() in weekdays else -3 if weekdays else 0
    covered = sum(symbol in "NQMWRmD" for symbol in match[0])
    return _Best(
        agrees + covered,
        PhraseTime(day, grain, clock, relative),
        kind,
        min(first, match.start()),
        max(last, match.end() - 1),
        items,
    )


def _is_certain(best: _Best, text: str) -> bool:
    """Whether a text with these words means one day: 24.11 may be a price, Tuesday every one."""
    is_recurring = any(item.symbol == "V" for item in best.items)
    if best.time.grain != "day" or is_recurring:
        return False
    named = best.items[best.first : best.last + 1]
    if best.kind == "day" and best.time.day.day not in {item.value for item in named}:
        return False
    if best.kind in _STRONG:
        return True
    start, end = best.items[best.first].start, best.items[best.last].end
    beside = best.items[max(0, best.first - 2) : best.last + 2]
    if best.kind == "numeric":
        return not _UNITS_BEHIND.match(text, end) and _is_date(best, beside, text, start, end)
    return best.kind == "day_alone" and any(
        item.symbol == "L" or _is_day_sign(item, text) for item in beside
    )


def _is_day_sign(item: TimeSymbol, text: str) -> bool:
    """26号, 31日; but "2nd hand" is no day."""
    is_behind_number = item.start > 0 and text[item.start - 1].isdecimal()
    return item.symbol == "D" and is_behind_number and not text[item.start].isascii()


def _is_date(best: _Best, beside: Sequence[TimeSymbol], text: str, start: int, end: int) -> bool:
    """Whether two numbers are a day and a month, which 24/7 and 3.50 are not."""
    if any(item.symbol in "WCJIPHL" for item in beside) or best.time.clock is not None:
        return True
    named = best.items[best.first : best.last + 1]
    numbers = [item.value for item in named if item.symbol == "N"]
    if "/" in text[start:end] and numbers != [24, 7]:
        return any(int(number) > _MONTHS for number in numbers)
    is_line = not text[:start].strip() or text[:start].rstrip(" \t").endswith("\n")
    return is_line or text[end - 1] == "."


def _has_halves(languages: Sequence[str]) -> bool:
    return bool(languages) and languages[0] in TWELVE_HOURS
