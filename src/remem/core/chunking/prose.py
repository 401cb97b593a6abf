"""The seams of prose: headings, paragraphs, list items, sentences, lines."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from remem.core.chunking.headings import Heading
from remem.core.chunking.model import Span
from remem.core.chunking.pack import Place, Seam
from remem.core.language.sentences import possible_end, sentence_starts

_LINE = re.compile(r"[^\n]+")
_ITEM = re.compile(r"[ \t]*(?:(?:[-*+•‣]|\d{1,4}[.)])[ \t]|\|)")
_ROW = re.compile(r"[ \t]*\|")
_RULE = re.compile(r"[ \t]*+(?:=++|\|?[ \t]*+:?-{2,}+[-| :\t]*+)$")
_LAST_LEVEL = 6
_TITLE_LIMIT = 80
_STOPS = frozenset(".!?…。！？,;，；\"”'’)")


class _Line(NamedTuple):
    start: int
    end: int
    after_blank: bool
    level: int | None
    fenced: bool


def prose_seams(
    text: str, headings: Sequence[Heading] = (), fences: Sequence[Span] = ()
) -> Iterator[Place]:
    """Every position at which the text could be cut, in reading order, with its seam."""
    previous, after_sentence = None, False
    sentence_end = -1
    for line in _lines(text, headings, fences):
        seam = _seam(text, previous, line, after_sentence) if previous else None
        if seam is not None:
            yield line.start, seam
        previous, after_sentence = line, False
        if sentence_end < line.start:
            sentence_end = possible_end(text, line.start)
        if sentence_end >= line.end:
            continue
        if line.fenced or line.level is not None or _ROW.match(text, line.start):
            continue
        for start in sentence_starts(text, line.start, line.end + 1):
            after_sentence = start > line.end
            if not after_sentence:
                yield start, Seam.SENTENCE


def _lines(text: str, headings: Sequence[Heading], fences: Sequence[Span]) -> Iterator[_Line]:
    """The lines with content, each with its heading level and whether it is inside a fence."""
    titles, blocks = iter(headings), iter(fences)
    title, block = next(titles, None), next(blocks, None)
    last, after_heading = -1, False
    for match in _LINE.finditer(text):
        start, end = match.span()
        while block is not None and block[1] <= start:
            block = next(blocks, None)
        level = None
        while title is not None and title.start < end:
            level, title = title.level, next(titles, None)
        if text[start].isspace() and match[0].isspace():
            continue
        underline = after_heading and level is None and _RULE.match(text, start, end)
        if not underline:
            fenced = block is not None and block[0] <= start
            after_blank = last < 0 or (start > last + 1 and text.count("\n", last, start) > 1)
            yield _Line(start, end, after_blank, level, fenced)
        last, after_heading = end, level is not None


def _seam(text: str, previous: _Line, line: _Line, after_sentence: bool) -> Seam | None:
    """The seam before this line; None when the text must not be cut there."""
    if line.level is not None:
        after_heading = previous.level is not None
        return Seam.LINE if after_heading else Seam(Seam.HEADING_6 + _LAST_LEVEL - line.level)
    if previous.level is not None:
        return None
    if line.fenced and previous.fenced:
        return Seam.BLANK if line.after_blank else Seam.LINE
    if line.after_blank:
        return Seam.LINE if _introduces(text, previous, line) else Seam.PARAGRAPH
    if line.fenced or previous.fenced:
        return Seam.ITEM
    return _inner_seam(text, previous, line, after_sentence)


def _introduces(text: str, previous: _Line, line: _Line) -> bool:
    """Whether the previous line introduces this one: "as follows:", or a title without markup."""
    previous_text = text[previous.start : previous.end].rstrip()
    if previous_text[-1:] in ":：":
        return True
    is_separate = (
        previous.after_blank and not previous.fenced and len(previous_text) <= _TITLE_LIMIT
    )
    line_text = text[line.start : line.end].rstrip()
    has_more_lines = text[line.end : line.end + 2] not in ("\n\n", "\n", "")
    is_body = has_more_lines or len(line_text) > _TITLE_LIMIT or line_text[-1:] in _STOPS | {":"}
    is_list = _ITEM.match(previous_text) and _ITEM.match(line_text)
    return is_separate and is_body and previous_text[-1:] not in _STOPS and not is_list


def _inner_seam(text: str, previous: _Line, line: _Line, after_sentence: bool) -> Seam | None:
    """The seam inside a block of lines, where a line break may be in the middle of a sentence."""
    if text[line.start].isalpha() and text[previous.start].isalpha():
        return Seam.SENTENCE if after_sentence else Seam.LINE
    if _RULE.match(text, line.start, line.end) or _RULE.match(text, previous.start, previous.end):
        return None
    if _ITEM.match(text, line.start, line.end):
        return Seam.ITEM
    return Seam.SENTENCE if after_sentence else Seam.LINE
