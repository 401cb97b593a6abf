"""Find the publication date of a text."""

import re
from collections.abc import Iterable
from datetime import date, datetime
from threading import Lock
from typing import Any

from remem.core.enrich.byline import author_in
from remem.core.language.times.calendar import WEEKDAYS

_ISO = r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?"
_NUMBERS = r"\d{4}[/.]\d{1,2}[/.]\d{1,2}|\d{1,2}[/.]\d{1,2}[/.]\d{4}|\d{4}年\d{1,2}月\d{1,2}日"
_MONTH = r"[^\W\d_]{3,12}\.?"
_WORDS = (
    r"\d{1,2}(?:st|nd|rd|th|er|\.|º)?[ \t]+(?:(?:de|of)[ \t]+)?"
    rf"{_MONTH},?[ \t]+(?:de[ \t]+)?\d{{4}}"
    rf"|{_MONTH}[ \t]+\d{{1,2}}(?:st|nd|rd|th)?,?[ \t]+\d{{4}}"
)
_DATE = re.compile(rf"(?<![\w-])(?:{_ISO}|{_NUMBERS}|{_WORDS})(?![\w-])")
_CUE = re.compile(
    r"\b(?:published|posted|released|dated?|written|first published|publication date|created|sent|"
    r"veröffentlicht|erschienen|datum|publié|fecha|publicado|pubblicato|data|gepubliceerd)\b"
    r"|发布|發佈|日期|公開日|掲載",
    re.I,
)
_WORDS_BESIDE = frozenset(
    "on at am pm utc gmt est edt pst pdt cet min mins minute minutes read reading by the updated"
    " last".split()
).union(WEEKDAYS)
_LINE_LIMIT = 160
_YEARS = range(1400, 2101)
# `dateparser` stores the languages it has seen in state shared by all threads.
_parser_lock = Lock()


def date_in(lines: Iterable[str], language: str | None) -> str | None:
    """The date of the first line that announces one, such as "Published on 5 March 2024" or a date
    alone."""
    for line in lines:
        match = _DATE.search(line[:_LINE_LIMIT])
        if match and _announces(line[:_LINE_LIMIT], match):
            parsed = read_date(match[0], language)
            if parsed:
                return parsed
    return None


def is_dateline(line: str) -> bool:
    """Whether the purpose of a line is to give the publication date."""
    match = _DATE.search(line[:_LINE_LIMIT])
    return bool(match) and len(line) <= _LINE_LIMIT and _announces(line, match)


def read_date(written: Any, language: str | None = None) -> str | None:
    """A date as ISO 8601; None when it is incomplete or ambiguous."""
    if isinstance(written, datetime | date):
        return written.isoformat()
    text = " ".join(str(written or "").split())
    return _iso(text) or _numbers(text) or _words(text, language)


def _announces(line: str, match: re.Match[str]) -> bool:
    before, after = line[: match.start()], line[match.end() :]
    if _CUE.search(before[-40:]):
        return True
    if author_in([line]):
        return True
    beside = re.findall(r"[^\W\d_]+", f"{before} {after}")
    return all(word.casefold() in _WORDS_BESIDE for word in beside)


def _iso(text: str) -> str | None:
    if not re.fullmatch(_ISO, text):
        return None
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    return _if_in_range(moment.date()) and (text[:10] if len(text) == 10 else moment.isoformat())


def _numbers(text: str) -> str | None:
    if not re.fullmatch(_NUMBERS, text):
        return None
    parts = [int(part) for part in re.findall(r"\d+", text)]
    if parts[0] > 31:
        return _day(*parts)
    day, month, year = parts
    if "." in text or day > 12:
        return _day(year, month, day)
    return _day(year, day, month) if month > 12 or day == month else None


def _words(text: str, language: str | None) -> str | None:
    """Parse a date with a month name. The result must match the numbers in the text, because the
    parser guesses."""
    if not re.fullmatch(_WORDS, text):
        return None
    languages = list(dict.fromkeys([language or "en", "en"]))
    settings = {"PARSERS": ["absolute-time"], "REQUIRE_PARTS": ["day", "month", "year"]}
    # Imported here because it is slow to load and most texts do not need it.
    import dateparser

    try:
        with _parser_lock:
            parsed = dateparser.parse(text, languages=languages, settings=settings)  # type: ignore[arg-type]
    except ValueError:
        return None
    numbers = {int(number) for number in re.findall(r"\d+", text)}
    return _if_in_range(parsed.date()) if parsed and numbers == {parsed.day, parsed.year} else None


def _day(year: int, month: int, day: int) -> str | None:
    try:
        return _if_in_range(date(year, month, day))
    except ValueError:
        return None


def _if_in_range(day: date) -> str | None:
    return day.isoformat() if day.year in _YEARS else None
