"""Read times in any language: the one that a phrase names, or those in a text."""

import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from datetime import date, datetime, time
from typing import NamedTuple

from remem.core.language.times.phrases.clock import TWELVE_HOURS, clock_beside
from remem.core.language.times.phrases.days import DATES, DayRules, MonthFirst
from remem.core.language.times.phrases.figures import (
    is_dotted_day,
    is_labelled,
    is_numbered,
    writes_days_with_dots,
)
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
# What tells that figures beside it are a day; before an hour is also before an amount: "at 1.6.".
_BESIDE_DAY = frozenset("WIPHL")
_MAX_SEGMENT = 24
_SHORT_WEEKDAY = 2
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
    times: list[TextTime] = []
    last_in_figures = -1
    dotted = bool(languages) and writes_days_with_dots(languages[0])
    for segment in _segments(options_of(tokens, languages)):
        for best in _all_in(segment, days, halves):
            start, end = best.items[best.first].start, best.items[best.last].end
            follows_day = last_in_figures >= 0 and "\n" not in text[last_in_figures:start]
            if _is_certain(best, text, dotted=dotted, follows_day=follows_day):
                times.append(TextTime(start, end, best.time))
                last_in_figures = end if best.kind == "numeric" else last_in_figures
    return times


def _all_in(segment: Options, days: DayRules, halves: bool) -> Iterator[_Best]:
    while any(item.symbol in _TIME_SYMBOLS for item in _each(segment)):
        best = _best(segment, days, halves)
        if best is None:
            return
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


def _is_certain(best: _Best, text: str, *, dotted: bool, follows_day: bool) -> bool:
    """Whether a text with these words means one day: 24.11 may be a price, Tuesday every one."""
    is_recurring = any(item.symbol == "V" for item in best.items)
    if best.time.grain != "day" or is_recurring:
        return False
    named = best.items[best.first : best.last + 1]
    if best.kind == "day" and best.time.day.day not in {item.value for item in named}:
        return False
    start, end = best.items[best.first].start, best.items[best.last].end
    if best.kind in ("numeric", "full") and not _has_year(named) and is_numbered(text, start):
        return False
    if best.kind in _STRONG:
        return True
    beside = best.items[max(0, best.first - 2) : best.last + 2]
    if best.kind == "numeric":
        if _UNITS_BEHIND.match(text, end):
            return False
        if "/" in text[start:end]:
            telling = _BESIDE_DAY | {"C", "J"}
            return _is_beside(best, beside, telling) or _is_month_and_day(named, text, start)
        telling = _BESIDE_DAY | {"C"} if dotted else _BESIDE_DAY
        return _is_beside(best, beside, telling) or is_dotted_day(
            text, start, end, usual=dotted, follows_day=follows_day
        )
    return best.kind == "day_alone" and any(
        item.symbol == "L" or _is_day_sign(item, text) for item in beside
    )


def _is_day_sign(item: TimeSymbol, text: str) -> bool:
    """26号, 31日; but "2nd hand" is no day."""
    is_behind_number = item.start > 0 and text[item.start - 1].isdecimal()
    return item.symbol == "D" and is_behind_number and not text[item.start].isascii()


def _has_year(named: Sequence[TimeSymbol]) -> bool:
    return any(item.symbol == "Q" for item in named)


def _is_beside(best: _Best, beside: Sequence[TimeSymbol], telling: Set[str]) -> bool:
    """Whether a word of time says that figures are a day."""
    return best.time.clock is not None or any(
        item.symbol in telling and (item.symbol != "W" or _may_be_weekday(item, best.time.day))
        for item in beside
    )


def _may_be_weekday(item: TimeSymbol, day: date) -> bool:
    """Two letters may be another word: "1.6 to 2.4" in English."""
    return item.end - item.start > _SHORT_WEEKDAY or item.value == day.weekday()


def _is_month_and_day(named: Sequence[TimeSymbol], text: str, start: int) -> bool:
    """Whether one of two numbers can only be a day, unlike in 3/4; 24/7 is neither."""
    numbers = [item.value for item in named if item.symbol == "N"]
    is_day = numbers != [24, 7] and any(int(number) > _MONTHS for number in numbers)
    return is_day and not is_labelled(text, start)


def _has_halves(languages: Sequence[str]) -> bool:
    return bool(languages) and languages[0] in TWELVE_HOURS
