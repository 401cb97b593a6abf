"""Until which day something is valid, said in other languages than English; pure."""

import re
from collections.abc import Iterable, Iterator
from datetime import date, datetime, time

from remem.core.language.lists import table
from remem.core.language.phrase_lists import any_of, split_phrases
from remem.core.language.times import calendar as cal

_TABLE = table("validity", "any")
CHARS_LIMIT = 4_000
# How far from the day the words of validity may be.
_BEFORE_CHARS, _AFTER_CHARS, _UNTIL_CHARS = 80, 40, 40
_MONTHS = {
    form.strip(): number
    for words in _TABLE.values()
    for number, forms in enumerate(split_phrases(words["months"]), 1)
    for form in forms.split("|")
}


def _phrases(name: str) -> dict[str, set[str]]:
    """The phrases of a list, each with its languages."""
    languages: dict[str, set[str]] = {}
    for language, words in _TABLE.items():
        for phrase in split_phrases(words[name]):
            languages.setdefault(phrase.lower(), set()).add(language)
    return languages


_VALID_WORDS, _UNTIL_WORDS, _AFTER_WORDS = map(_phrases, ("valid", "until", "after"))
_NEGATIONS = _phrases("not")
_VALID = re.compile(any_of(_VALID_WORDS), re.IGNORECASE)
_NOT = re.compile(any_of(_NEGATIONS), re.IGNORECASE)
_UNTIL = re.compile(
    rf"({any_of(_UNTIL_WORDS)})(?:\s(?:{any_of(_phrases('between'))}))?[\s:]*$", re.IGNORECASE
)
_AFTER = re.compile(rf"(?:['’]?\w{{0,12}}\s?){{0,2}}?({any_of(_AFTER_WORDS)})", re.IGNORECASE)
_MONTH = any_of(_MONTHS)
_DAY = re.compile(
    r"(?<![\d.-])(?:"
    r"(?P<year>\d{4})(?:-|/|\.\s?|\s?[年년]\s?)(?P<month>\d{1,2})(?:-|/|\.\s?|\s?[月월]\s?)(?P<day>\d{1,2})"
    r"(?:\s?[日일])?"
    r"|(?P<day2>\d{1,2})[./-]\s?(?P<month2>\d{1,2})[./-]\s?(?P<year2>\d{4}|\d{2})"
    rf"|(?P<year3>\d{{4}})\.?\s(?P<month3>{_MONTH})\s(?P<day3>\d{{1,2}})"
    rf"|(?P<day4>\d{{1,2}})(?:\.|er|º|°|-?го)?\s(?:de\s|ngày\s)?(?P<month4>{_MONTH})\.?"
    r"(?:,?\s(?:de\s|del\s|năm\s)?(?P<year4>\d{4}))?"
    rf"|(?P<month5>{_MONTH})\s(?:de\s)?(?P<year5>\d{{4}})"
    r"|(?P<month6>0?[1-9]|1[0-2])[/.](?P<year6>\d{4})"
    r"|(?P<day7>\d{1,2})\.\s?(?P<month7>\d{1,2})\."
    r")(?!\d)",
    re.IGNORECASE,
)
_CLAUSE_END = re.compile(r"[!?;\n。！？；]|\.\s+(?=[^\W\d_]{3})")


def valid_until(text: str, said_at: datetime) -> datetime | None:
    """The end of the day that is named; only if it was ahead at `said_at`."""
    text = text[:CHARS_LIMIT]
    for match in _DAY.finditer(text) if _VALID.search(text) else ():
        end = _end_of(match, said_at)
        if end and end > said_at and _is_end_of_validity(text, match):
            return end
    return None


def _is_end_of_validity(text: str, day: re.Match[str]) -> bool:
    before = _CLAUSE_END.split(text[max(0, day.start() - _BEFORE_CHARS) : day.start()])[-1]
    after = _CLAUSE_END.split(text[day.end() : day.end() + _AFTER_CHARS])[0]
    until, following = _UNTIL.search(before[-_UNTIL_CHARS:]), _AFTER.match(after)
    limits = set[str]()
    if until:
        limits |= _UNTIL_WORDS[_folded(until[1])]
    if following:
        limits |= _AFTER_WORDS[_folded(following[1])]
    beside = f"{before} {after}"
    languages = limits & set(_languages(_VALID.finditer(beside), _VALID_WORDS))
    return bool(languages - set(_languages(_NOT.finditer(beside), _NEGATIONS)))


def _languages(matches: Iterable[re.Match[str]], words: dict[str, set[str]]) -> Iterator[str]:
    for match in matches:
        yield from words[_folded(match[0])]


def _folded(phrase: str) -> str:
    return " ".join(phrase.lower().split())


def _end_of(match: re.Match[str], said_at: datetime) -> datetime | None:
    """When the day or month is over, in the zone of saying."""
    values = {name.rstrip("1234567"): value for name, value in match.groupdict().items() if value}
    month = _MONTHS.get(values["month"].casefold()) or _number(values["month"])
    if not month or month > 12:
        return None
    if "day" not in values:
        last = cal.month_of(date(int(values["year"]), month, 1))[1]
        return cal.moment(last, time.min, said_at.tzinfo) if said_at.tzinfo else None
    day = _day(values.get("year"), month, int(values["day"]), said_at)
    if day is None or said_at.tzinfo is None or day == date.max:
        return None
    return cal.moment(cal.one_day(day)[1], time.min, said_at.tzinfo)


def _day(year: str | None, month: int, day: int, said_at: datetime) -> date | None:
    """A day without a year is the next one."""
    if year:
        return cal.date_or_none(int(year) + (2000 if len(year) == 2 else 0), month, day)
    this_year = cal.date_or_none(said_at.year, month, day)
    if this_year and this_year >= said_at.date():
        return this_year
    return cal.date_or_none(said_at.year + 1, month, day)


def _number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() else None
