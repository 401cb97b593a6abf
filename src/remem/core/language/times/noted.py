"""Days that a note names in any language: "appt moved!! now tue 1 dec", "Do 12.2. 7h30 Zahnarzt".

The English grammar (`statements`) reads sentences; these are added to what it finds."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from datetime import datetime, time, timedelta
from operator import itemgetter

from remem.core.language.claims.cancelled import cancellations_in
from remem.core.language.detect import language_of
from remem.core.language.lists import table, word_set
from remem.core.language.phrase_lists import any_of, is_unspaced
from remem.core.language.times import calendar as cal
from remem.core.language.times.phrases.days import MonthFirst
from remem.core.language.times.phrases.read import TextTime, times_in_text
from remem.core.language.times.phrases.symbols import known_letters
from remem.core.language.times.phrases.words import tokens_of
from remem.core.language.times.statements import StatedTime

CHARS_LIMIT, _SHORT_CHARS = 4_000, 300
_ENGLISH = "en"
# Languages to try for a text that is too short to detect one, by script.
_LATIN = ("en", "de", "fr", "es", "it", "pt", "nl", "pl", "cs", "tr", "sv")
_SCRIPTS = (
    (re.compile(r"[\u0400-\u04ff]"), ("ru", "uk")),
    (re.compile(r"[\u0600-\u06ff]"), ("ar",)),
    (re.compile(r"[\u0900-\u097f]"), ("hi",)),
    (re.compile(r"[\u3040-\u30ff]"), ("ja",)),
    (re.compile(r"[\uac00-\ud7af]"), ("ko",)),
    (re.compile(r"[\u4e00-\u9fff]"), ("zh", "ja")),
    (re.compile(r"[\u0370-\u03ff]"), ("el",)),
)
_MONTH_FIRST = frozenset("zh ja ko hu".split())
# In a month before its day, 3/14: the day is above 12.
_MONTH_BEFORE_DAY = re.compile(r"(?<![\d/.])(?:0?\d|1[0-2])/(?:1[3-9]|2\d|3[01])(?![\d/])")
_DAY_BEFORE_MONTH = re.compile(r"(?<![\d/.])(?:1[3-9]|2\d|3[01])/(?:0?\d|1[0-2])(?![\d/])")
_CLAUSE = re.compile(r"[.;:!?\n,]\s+|\s[–—-]\s|\n")
_WORD = re.compile(r"[^\W\d_]+")
# An English clause with more of these words is a sentence, which its verb explains.
_SENTENCE_WORDS, _SENTENCE_SHARE = word_set("duties", "sentence_words"), 0.17
# Words before a day in other languages: "am 3.4." is not "I am".
_FILLERS = any_of(
    word.replace("_", " ")
    for language, words in table("times", "any").items()
    if language != _ENGLISH
    for word in words.get("filler", "").split()
)
_BEFORE_DAY = re.compile(rf"(?:{_FILLERS})\s?(?=\d)", re.IGNORECASE)


def _alternatives(words: Iterable[str]) -> str:
    return "|".join(map(re.escape, sorted(words)))


_YEARLY_WORDS = {
    word.replace("_", " ")
    for language in table("times", "any").values()
    for word in language.get("yearly", "").split()
}
_UNSPACED_YEARLY = set(filter(is_unspaced, _YEARLY_WORDS))
_YEARLY = re.compile(
    rf"(?<!\w)(?:{_alternatives(_YEARLY_WORDS - _UNSPACED_YEARLY)})(?!\w)"
    rf"|{_alternatives(_UNSPACED_YEARLY)}",
    re.IGNORECASE,
)


def noted_times(text: str, written: datetime) -> list[StatedTime]:
    """The days of plans, duties and appointments that a note names; not those of English sentences,
    of what was called off, and of what returns every year."""
    text = text[:CHARS_LIMIT]
    language, times = _read(text, written)
    if not times:
        return []
    without_day = _called_off_or_yearly(text)
    kept = [found for found in times if not _is_in_line_with(text, found, without_day)]
    if language == _ENGLISH:
        clauses = [match.span() for match in _CLAUSE.finditer(text)]
        kept = [found for found in kept if _is_note(text, found, clauses)]
    stated = (_stated(found, text, written) for found in kept)
    return [time for time in stated if time]


def _read(text: str, written: datetime) -> tuple[str, list[TextTime]]:
    """The language whose words of time explain most of the text, and the times."""
    tokens, known = tokens_of(text), languages_of(text)
    language = max(known, key=lambda name: known_letters(tokens, name))
    order = month_first(text, language)
    found = times_in_text(text, written, (language,), ahead=None, month_first=order, tokens=tokens)
    return language, found


def languages_of(text: str) -> tuple[str, ...]:
    detected = language_of(text)
    if detected in table("times", "any"):
        return (detected,)
    known = next((known for script, known in _SCRIPTS if script.search(text)), _LATIN)
    # Of a long text, the language is detected unless it has none.
    return known if len(text) <= _SHORT_CHARS else known[:1]


def month_first(text: str, language: str) -> MonthFirst:
    if language in _MONTH_FIRST:
        return "always"
    if language != _ENGLISH:
        return False
    american, other = (
        len(pattern.findall(text)) for pattern in (_MONTH_BEFORE_DAY, _DAY_BEFORE_MONTH)
    )
    return None if american == other else american > other


def _called_off_or_yearly(text: str) -> list[int]:
    """Where the text says that something is off or returns every year."""
    return sorted((*cancellations_in(text), *(match.start() for match in _YEARLY.finditer(text))))


def _is_in_line_with(text: str, found: TextTime, marks: Sequence[int]) -> bool:
    start, end = text.rfind("\n", 0, found.start) + 1, text.find("\n", found.end)
    at = bisect_left(marks, start)
    return at < len(marks) and marks[at] < (end if end >= 0 else len(text))


def _is_note(text: str, found: TextTime, clauses: Sequence[tuple[int, int]]) -> bool:
    """Whether it is a date in a clause that is no sentence, with hardly any pronouns and verbs."""
    if not any(char.isdecimal() for char in text[found.start : found.end]):
        return False
    before = bisect_right(clauses, found.start, key=itemgetter(1))
    behind = bisect_left(clauses, found.end, key=itemgetter(0))
    start = clauses[before - 1][1] if before else 0
    last = clauses[behind][0] if behind < len(clauses) else len(text)
    clause = f"{text[start : found.start]}0{text[found.end : last]}"
    words = [word.casefold() for word in _WORD.findall(_BEFORE_DAY.sub("", clause))]
    return sum(word in _SENTENCE_WORDS for word in words) <= _SENTENCE_SHARE * len(words)


def _stated(found: TextTime, text: str, written: datetime) -> StatedTime | None:
    """None at the end of the calendar: no day follows 31.12.9999."""
    zone = written.tzinfo
    assert zone is not None, "moments are aware"
    named = found.time
    try:
        first = cal.moment(named.day, named.clock or time(), zone)
        last = first if named.clock else cal.moment(named.day + timedelta(days=1), time(), zone)
    except OverflowError:
        return None
    return StatedTime(
        start=found.start,
        end=found.end,
        words=text[found.start : found.end],
        first=first,
        last=last,
        due=first if named.clock else last - timedelta(seconds=1),
        grain="moment" if named.clock else "day",
        relative=named.relative,
        limit=False,
        certain=True,
        ahead=first > written,
        is_noted=True,
    )
