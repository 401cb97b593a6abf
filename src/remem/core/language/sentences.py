"""Where sentences begin, in scripts with and without spaces."""

import re
from collections.abc import Iterator

_CLOSERS = "\"'”’»)\\]*_"
# A full stop ends a sentence when white space follows it; an ideographic one always does.
_END = re.compile(
    rf"[.!?…](?=[{_CLOSERS}]{{0,3}}\s)|[。！？｡।॥؟۔።][{_CLOSERS}」』）】]{{0,3}}", re.UNICODE
)
_GAP = re.compile(rf"[{_CLOSERS}]{{0,3}}\s*")
# A letter by itself is an initial, but not the s of "at my aunt's".
_ABBREVIATED = re.compile(
    r"(?:^|[\s(\[\"“‘/-]|'(?!s$))(?:[^\W\d_]|(?:[^\W\d_]\.)+[^\W\d_]|"
    r"(?i:mrs?|ms|dr|prof|rev|hon|gen|sen|rep|gov|capt|sgt|lt|col|st|jr|sr|vs|etc|al|cf|ca|"
    r"approx|dept|est|fig|figs|eq|sec|ch|vol|no|nos|nr|pp?|ed|eds|inc|ltd|co|corp|bros|"
    r"jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|mon|tue|wed|thu|fri|sat|sun|"
    r"bzw|usw|ggf|evtl|vgl|bspw|abs|art|str|hr|fr|mme|mlle|sra?|srta|ud|uds))$"
)
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
    return bare[-1] != "." or not _ABBREVIATED.search(bare[-_LOOK_BACK - 1 : -1])


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
    return not (before[-1:].isalpha() and _ABBREVIATED.search(before))
