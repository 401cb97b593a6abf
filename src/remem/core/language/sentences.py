"""Where sentences begin and end, in scripts with and without spaces."""

import re
import unicodedata
from collections.abc import Iterator

from remem.core.language.lists import table, word_list
from remem.core.language.numerals import month_names
from remem.core.language.stopwords import STOP_WORDS
from remem.core.language.times.calendar import MONTHS, WEEKDAYS

_CLOSERS = "\"'”’»)\\]*_"
# A full stop ends a sentence when white space follows; those of other scripts always do.
_FULL_STOPS = "。！？｡।॥؟۔።፧։။"
_END = re.compile(
    rf"(?:[.!?…]|(?<=[\u0370-\u03ff\u1f00-\u1fff]);)(?=[{_CLOSERS}]{{0,3}}\s)"
    rf"|[{_FULL_STOPS}]{{1,8}}[{_CLOSERS}」』）】]{{0,3}}",
    re.UNICODE,
)
# 「行く。」と言った。
_QUOTED = re.compile(r"[」』][\u3040-\u309f]")
_GAP = re.compile(rf"[{_CLOSERS}]{{0,3}}\s*")
# "Jan." and "Tue.", but neither "May." nor "June.".
_SHORT_DATE_NAMES = [
    form for form in (*MONTHS, *WEEKDAYS) if len(form) == 3 or form in ("sept", "tues")
]


def _of_all_languages(name: str) -> list[str]:
    return [
        word for words in table("abbreviations", "any")[name].values() for word in words.split()
    ]


_TITLES = _of_all_languages("titles")
_BEFORE_NUMBERS = [*word_list("sentences", "before_numbers"), *_of_all_languages("before_numbers")]
_ABBREVIATIONS = [
    *word_list("sentences", "abbreviations"),
    *_BEFORE_NUMBERS,
    *_TITLES,
    *_of_all_languages("others"),
    *(form for form in _SHORT_DATE_NAMES if form != "may"),
]
_START = r"(?:^|[\s(\[\"“‘„«/-]|'(?!s$))"


def _any_of(words: list[str]) -> str:
    return "|".join(map(re.escape, sorted(set(words))))


# A single letter is an initial, but not the s of "at my aunt's".
_ABBREVIATED = re.compile(
    rf"{_START}(?:[^\W\d_]|(?:[^\W\d_]{{1,2}}\.)+[^\W\d_]{{1,2}}|(?i:{_any_of(_ABBREVIATIONS)}))$"
)
_TITLE = re.compile(rf"{_START}(?i:{_any_of(_TITLES)})$")
_BEFORE_NUMBER = re.compile(rf"(?i:\b(?:{_any_of(_BEFORE_NUMBERS)}))$")
# After an abbreviation, such a word still begins a sentence: "Acme Inc. The".
_ENGLISH_OPENERS = word_list("sentences", "openers")
_SENTENCE_OPENER = re.compile(rf"(?:{_any_of([*_ENGLISH_OPENERS])})(?!\w)")
_ANY_OPENER = re.compile(
    rf"(?:{_any_of([*_ENGLISH_OPENERS, *_of_all_languages('openers')])})(?!\w)"
)
_LIST_NUMBER = re.compile(r"(?:^|\n)[ \t]*\d{1,3}$")
# "am 14. Jänner", "der 3. Bezirk", but not "I am 14. Tom is 15."
_ORDINAL = re.compile(
    rf"(?<!\bI )\b(?i:{_any_of(_of_all_languages('before_ordinals'))})\s\d{{1,2}}$"
)
_DAY = re.compile(r"(?<!\d)(?:[12]?\d|3[01])$")
_MONTH = re.compile(rf"(?i:{_any_of([*(month_names().keys() - STOP_WORDS['en'])])})(?!\w)")
# "31. 10." and "am 5. März".
_MONTH_AFTER_DAY = re.compile(rf"(?:0?[1-9]|1[0-2])\.(?!\d)|{_MONTH.pattern}")
_COUNTED = re.compile(_any_of(_of_all_languages("after_ordinals")))
# "Fri 13.2. at the inn".
_SHORT_DATE = re.compile(r"(?<![\d.])\d{1,2}\.(?:0?[1-9]|1[0-2])$")
_AMOUNT = re.compile(r"\d\s?(?:g|kg|mg|l|ml|h|m|cm|km)$|\d[:,h]\d\d$|\d\.(?:00|[1-5]\d)$")
_NO_WORD = re.compile(r"[^\w\s.]$")
_LAST_WORD = re.compile(r"[^\W_]{1,16}$")
_ORDINAL_DIGITS, _SHORTEST_WORD = 2, 2
_LOOKBACK_CHARS = 16


def sentence_starts(text: str, start: int, end: int, *, typed: bool = False) -> Iterator[int]:
    """Positions in (start, end] at which the text before them ends a sentence; in a `typed` note,
    the next one may begin in lower case."""
    for match in _END.finditer(text, start, end):
        gap = _GAP.match(text, match.end(), end)
        begin = gap.end() if gap else match.end()
        if begin > start and _is_sentence_end(text, match.start(), begin, typed=typed):
            yield begin


def possible_end(text: str, start: int) -> int:
    """Where the first sentence from `start` on may end; the length of the text if none does."""
    match = _END.search(text, start)
    return match.start() if match else len(text)


def ends_sentence(text: str, position: int) -> bool:
    """Whether the text before a position, ignoring white space, ends a sentence."""
    before = text[max(0, position - _LOOKBACK_CHARS * 4) : position].rstrip()
    if not before:
        return True
    without_closers = before.rstrip("\"'”’»)]*_」』）】")
    if without_closers[-1:] not in f".!?…:{_FULL_STOPS}":
        return False
    return not without_closers.endswith(".") or not _ABBREVIATED.search(
        without_closers[-_LOOKBACK_CHARS - 1 : -1]
    )


def _is_sentence_end(text: str, stop: int, begin: int, *, typed: bool = False) -> bool:
    if text[stop] not in ".!?…;":
        return not _QUOTED.match(text, begin - 1)
    before = text[max(0, stop - _LOOKBACK_CHARS) : stop]
    if begin < len(text) and text[begin].islower():
        return typed and text[stop] in ".!" and _ends_typed_sentence(before.rstrip("!"))
    if text[stop] != ".":
        return True
    if typed and text[begin : begin + 1].isdigit() and _SHORT_DATE.search(before):
        return False
    if before[-1:].isdigit():
        return not _LIST_NUMBER.search(before) and not _is_ordinal(text, before, begin)
    if before[-1:].isspace() or not _ABBREVIATED.search(before):
        return True
    if _BEFORE_NUMBER.search(before):
        return not text[begin : begin + 1].isdigit()
    opener = _SENTENCE_OPENER if _TITLE.search(before) else _ANY_OPENER
    return opener.match(text, begin) is not None


def _ends_typed_sentence(before: str) -> bool:
    """Whether the stop before a word in lower case may end a sentence: not after an abbreviation,
    known or without a vowel, nor after a number that may be an ordinal or a date."""
    if (_AMOUNT.search(before) and not _SHORT_DATE.search(before)) or _NO_WORD.search(before):
        return True
    word = _LAST_WORD.search(before)
    if word is None or _ABBREVIATED.search(before) or _SHORT_DATE.search(before):
        return False
    if word[0].isdigit():
        return len(word[0]) > _ORDINAL_DIGITS
    return len(word[0]) > _SHORTEST_WORD and has_vowel(word[0])


def has_vowel(word: str) -> bool:
    """Whether a word has a vowel, or is in a script where that is not known."""
    return any(not "a" <= base <= "z" or base in "aeiouy" for base in _bases(word))


def _bases(word: str) -> str:
    return "".join(unicodedata.normalize("NFD", char)[0] for char in word.casefold())


def _is_ordinal(text: str, before: str, begin: int) -> bool:
    """Whether the stop makes a number an ordinal: "am 5. März", "im 19. Jahrhundert"."""
    is_day = _DAY.search(before) is not None
    if _COUNTED.match(text, begin) or (is_day and _MONTH_AFTER_DAY.match(text, begin)):
        return True
    return _ORDINAL.search(before) is not None and not _ANY_OPENER.match(text, begin)


def sentence_spans(
    text: str, start: int = 0, end: int | None = None, *, typed: bool = False
) -> Iterator[tuple[int, int]]:
    """The span of each sentence, without the white space around it."""
    end = len(text) if end is None else end
    begin = start
    for stop in [*sentence_starts(text, start, end, typed=typed), end]:
        part = text[begin:stop]
        if part.strip():
            yield begin + len(part) - len(part.lstrip()), begin + len(part.rstrip())
        begin = max(begin, stop)


def sentences(text: str) -> list[str]:
    return [text[start:end] for start, end in sentence_spans(text)]
