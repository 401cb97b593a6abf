"""The seams of written text: headings, paragraphs, list items, sentences, lines."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from remem.core.chunking.headings import Heading
from remem.core.chunking.model import Span
from remem.core.chunking.pack import Place, Seam
from remem.core.language.sentences import sentence_starts

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
    """Every place at which text could be cut, in reading order, with what a cut there parts."""
    before, ended = None, False
    for line in _lines(text, headings, fences):
        seam = _seam(text, before, line, ended) if before else None
        if seam is not None:
            yield line.start, seam
        before, ended = line, False
        if line.fenced or line.level is not None or _ROW.match(text, line.start):
            continue
        for start in sentence_starts(text, line.start, line.end + 1):
            ended = start > line.end
            if not ended:
                yield start, Seam.SENTENCE


def _lines(text: str, headings: Sequence[Heading], fences: Sequence[Span]) -> Iterator[_Line]:
    """The lines that say something, each with its place in the order of things."""
    titles, blocks = iter(headings), iter(fences)
    title, block = next(titles, None), next(blocks, None)
    last, titled = -1, False
    for found in _LINE.finditer(text):
        start, end = found.span()
        while block is not None and block[1] <= start:
            block = next(blocks, None)
        level = None
        while title is not None and title.start < end:
            level, title = title.level, next(titles, None)
        if found[0].isspace():
            continue
        underline = titled and level is None and _RULE.match(text, start, end)
        if not underline:
            fenced = block is not None and block[0] <= start
            blank = last < 0 or text.count("\n", last, start) > 1
            yield _Line(start, end, blank, level, fenced)
        last, titled = end, level is not None


def _seam(text: str, before: _Line, line: _Line, ended: bool) -> Seam | None:
    """What a cut before this line would part; None where there must be none."""
    if line.level is not None:
        outline = before.level is not None
        return Seam.LINE if outline else Seam(Seam.HEADING_6 + _LAST_LEVEL - line.level)
    if before.level is not None:
        return None
    if line.fenced and before.fenced:
        return Seam.BLANK if line.after_blank else Seam.LINE
    if line.after_blank:
        return Seam.LINE if _leads_on(text, before, line) else Seam.PARAGRAPH
    if line.fenced or before.fenced:
        return Seam.ITEM
    return _inner_seam(text, before, line, ended)


def _leads_on(text: str, before: _Line, line: _Line) -> bool:
    """Whether the line above announces this one: "as follows:", or a title not marked as one."""
    above = text[before.start : before.end].rstrip()
    if above[-1:] in ":：":
        return True
    alone = before.after_blank and not before.fenced and len(above) <= _TITLE_LIMIT
    below = text[line.start : line.end].rstrip()
    several = text[line.end : line.end + 2] not in ("\n\n", "\n", "")
    body = several or len(below) > _TITLE_LIMIT or below[-1:] in _STOPS | {":"}
    listed = _ITEM.match(above) and _ITEM.match(below)
    return alone and body and above[-1:] not in _STOPS and not listed


def _inner_seam(text: str, before: _Line, line: _Line, ended: bool) -> Seam | None:
    """Within a block of lines, a line break alone may be in the middle of a sentence."""
    if _RULE.match(text, line.start, line.end) or _RULE.match(text, before.start, before.end):
        return None
    if _ITEM.match(text, line.start, line.end):
        return Seam.ITEM
    return Seam.SENTENCE if ended else Seam.LINE
