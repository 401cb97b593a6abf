"""Where sentences begin and end, in scripts with and without spaces."""

import re
from collections.abc import Iterator

from remem.core.language.lists import table, word_list
from remem.core.language.times.calendar import MONTHS, WEEKDAYS

_CLOSERS = "\"'”’»)\\]*_"
# A full stop ends a sentence when white space follows it; an ideographic one always does.
_END = re.compile(
    rf"[.!?…](?=[{_CLOSERS}]{{0,3}}\s)|[。！？｡।॥؟۔።][{_CLOSERS}」』）】]{{0,3}}", re.UNICODE
)
_GAP = re.compile(rf"[{_CLOSERS}]{{0,3}}\s*")
# "Jan." and "Tue.", but neither "May." nor "June.".
_SHORT = [form for form in (*MONTHS, *WEEKDAYS) if len(form) == 3 or form in ("sept", "tues")]
_ABBREVIATIONS = [
    *word_list("sentences", "abbreviations"),
    *word_list("sentences", "before_numbers"),
    *(word for words in table("abbreviations", "any").values() for word in words.split()),
    *(form for form in _SHORT if form != "may"),
]
# A letter by itself is an initial, but not the s of "at my aunt's".
_ABBREVIATED = re.compile(
    r"(?:^|[\s(\[\"“‘/-]|'(?!s$))(?:[^\W\d_]|(?:[^\W\d_]\.)+[^\W\d_]|"
    rf"(?i:{'|'.join(map(re.escape, _ABBREVIATIONS))}))$"
)
_BEFORE_NUMBER = re.compile(rf"(?i:\b(?:{'|'.join(word_list('sentences', 'before_numbers'))}))$")
# Behind an abbreviation, such a word begins a sentence all the same: "Acme Inc. The".
_OPENER = re.compile(rf"(?:{'|'.join(word_list('sentences', 'openers'))})(?!\w)")
_LIST_NUMBER = re.compile(r"(?:^|\n)[ \t]*\d{1,3}$")
# "am 5. März", "im 19. Jahrhundert": the stop makes the number an ordinal.
_ORDINAL = re.compile(
    r"(?:Jan|Feb|Mär|Apr|Mai|Jun|Jul|Aug|Sep|Okt|Nov|Dez|Jahr|Aufl|Klasse|Stock|Platz|Tag|Mal)"
)
_LOOK_BACK = 16


def sentence_starts(text: str, start: int, end: int) -> Iterator[int]:
    """Positions in (start, end] at which the text before them ends a sentence."""
    for found in _END.finditer(text, start, end):
        gap = _GAP.match(text, found.end(), end)
        begin = gap.end() if gap else found.end()
        if begin > start and _ends(text, found.start(), begin):
            yield begin


def ends_sentence(text: str, position: int) -> bool:
    """Whether what stands before a position, white space aside, ends a sentence."""
    before = text[max(0, position - _LOOK_BACK * 4) : position].rstrip()
    if not before:
        return True
    bare = before.rstrip("\"'”’»)]*_」』）】")
    if bare[-1:] not in ".!?…。！？｡।॥؟۔።:":
        return False
    return not bare.endswith(".") or not _ABBREVIATED.search(bare[-_LOOK_BACK - 1 : -1])


def _ends(text: str, stop: int, begin: int) -> bool:
    if text[stop] not in ".!?…":
        return True
    if begin < len(text) and text[begin].islower():
        return False
    if text[stop] != ".":
        return True
    before = text[max(0, stop - _LOOK_BACK) : stop]
    if before[-1:].isdigit():
        return not _LIST_NUMBER.search(before) and not _ORDINAL.match(text, begin)
    if not before[-1:].isalpha() or not _ABBREVIATED.search(before):
        return True
    if _BEFORE_NUMBER.search(before):
        return not text[begin : begin + 1].isdigit()
    return _OPENER.match(text, begin) is not None


def sentence_spans(text: str, start: int = 0, end: int | None = None) -> Iterator[tuple[int, int]]:
    """From where to where each sentence goes, without the white space around it."""
    end = len(text) if end is None else end
    begin = start
    for stop in [*sentence_starts(text, start, end), end]:
        part = text[begin:stop]
        if part.strip():
            yield begin + len(part) - len(part.lstrip()), begin + len(part.rstrip())
        begin = max(begin, stop)


def sentences(text: str) -> list[str]:
    return [text[start:end] for start, end in sentence_spans(text)]
