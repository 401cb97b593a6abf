"""Where sentences begin and end, in scripts with and without spaces."""

import re
from collections.abc import Iterator

from remem.core.language.lists import table, word_list
from remem.core.language.times.calendar import MONTHS, WEEKDAYS

_CLOSERS = "\"'”’»)\\]*_"
# A full stop ends a sentence when white space follows; an ideographic full stop always does.
_END = re.compile(
    rf"[.!?…](?=[{_CLOSERS}]{{0,3}}\s)|[。！？｡।॥؟۔።][{_CLOSERS}」』）】]{{0,3}}", re.UNICODE
)
_GAP = re.compile(rf"[{_CLOSERS}]{{0,3}}\s*")
# "Jan." and "Tue.", but neither "May." nor "June.".
_SHORT_DATE_NAMES = [
    form for form in (*MONTHS, *WEEKDAYS) if len(form) == 3 or form in ("sept", "tues")
]
_ABBREVIATIONS = [
    *word_list("sentences", "abbreviations"),
    *word_list("sentences", "before_numbers"),
    *(word for words in table("abbreviations", "any").values() for word in words.split()),
    *(form for form in _SHORT_DATE_NAMES if form != "may"),
]
# A single letter is an initial, but not the s of "at my aunt's".
_ABBREVIATED = re.compile(
    r"(?:^|[\s(\[\"“‘/-]|'(?!s$))(?:[^\W\d_]|(?:[^\W\d_]\.)+[^\W\d_]|"
    rf"(?i:{'|'.join(map(re.escape, _ABBREVIATIONS))}))$"
)
_BEFORE_NUMBER = re.compile(rf"(?i:\b(?:{'|'.join(word_list('sentences', 'before_numbers'))}))$")
# After an abbreviation, such a word still begins a sentence: "Acme Inc. The".
_SENTENCE_OPENER = re.compile(rf"(?:{'|'.join(word_list('sentences', 'openers'))})(?!\w)")
_LIST_NUMBER = re.compile(r"(?:^|\n)[ \t]*\d{1,3}$")
# "am 5. März", "im 19. Jahrhundert": the stop makes the number an ordinal.
_ORDINAL = re.compile(
    r"(?:Jan|Feb|Mär|Apr|Mai|Jun|Jul|Aug|Sep|Okt|Nov|Dez|Jahr|Aufl|Klasse|Stock|Platz|Tag|Mal)"
)
_LOOKBACK_CHARS = 16


def sentence_starts(text: str, start: int, end: int) -> Iterator[int]:
    """Positions in (start, end] at which the text before them ends a sentence."""
    for match in _END.finditer(text, start, end):
        gap = _GAP.match(text, match.end(), end)
        begin = gap.end() if gap else match.end()
        if begin > start and _is_sentence_end(text, match.start(), begin):
            yield begin


def ends_sentence(text: str, position: int) -> bool:
    """Whether the text before a position, ignoring white space, ends a sentence."""
    before = text[max(0, position - _LOOKBACK_CHARS * 4) : position].rstrip()
    if not before:
        return True
    without_closers = before.rstrip("\"'”’»)]*_」』）】")
    if without_closers[-1:] not in ".!?…。！？｡।॥؟۔።:":
        return False
    return not without_closers.endswith(".") or not _ABBREVIATED.search(
        without_closers[-_LOOKBACK_CHARS - 1 : -1]
    )


def _is_sentence_end(text: str, stop: int, begin: int) -> bool:
    if text[stop] not in ".!?…":
        return True
    if begin < len(text) and text[begin].islower():
        return False
    if text[stop] != ".":
        return True
    before = text[max(0, stop - _LOOKBACK_CHARS) : stop]
    if before[-1:].isdigit():
        return not _LIST_NUMBER.search(before) and not _ORDINAL.match(text, begin)
    if not before[-1:].isalpha() or not _ABBREVIATED.search(before):
        return True
    if _BEFORE_NUMBER.search(before):
        return not text[begin : begin + 1].isdigit()
    return _SENTENCE_OPENER.match(text, begin) is not None


def sentence_spans(text: str, start: int = 0, end: int | None = None) -> Iterator[tuple[int, int]]:
    """The span of each sentence, without the white space around it."""
    end = len(text) if end is None else end
    begin = start
    for stop in [*sentence_starts(text, start, end), end]:
        part = text[begin:stop]
        if part.strip():
            yield begin + len(part) - len(part.lstrip()), begin + len(part.rstrip())
        begin = max(begin, stop)


def sentences(text: str) -> list[str]:
    return [text[start:end] for start, end in sentence_spans(text)]
