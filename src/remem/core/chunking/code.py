"""Code, cut so that functions and classes stay whole."""

import re
from collections.abc import Iterable, Iterator, Sequence

from remem.core.chunking.blocks import Block, Unit, blocks_of
from remem.core.chunking.gauge import Gauge
from remem.core.chunking.joints import with_joints
from remem.core.chunking.model import TARGET_TOKENS, Joint, Mark, Piece, Span
from remem.core.chunking.pack import Place, Seam, Style, pack
from remem.core.chunking.patterns import units_in

STYLE = Style(overlap_tokens=0)
_LINE = re.compile(r"[^\n]+")
_INSIDE = re.compile(r"\s|[)\]}]|(?:end|done|fi|esac)\b")
_BY_DEPTH = (Seam.PARAGRAPH, Seam.ITEM, Seam.SENTENCE)


def split_code(gauge: Gauge, marks: Sequence[Mark]) -> list[Piece]:
    """Definitions by themselves, the rest in groups; a name is the path of what it names.

    What the syntax tree says comes as marks; without them the looks of the lines must do."""
    read = list(_marked(gauge.text, marks))
    units = read or _closed(gauge, list(units_in(gauge.text)))
    return [
        Piece(gauge.text[start:end], start, end, block.path)
        for block in blocks_of(gauge, units)
        for span in _cut(gauge, block, parsed=bool(read))
        for start, end in _trimmed(gauge.text, span)
    ]


def _marked(text: str, marks: Iterable[Mark]) -> Iterator[Unit]:
    for mark in sorted(marks, key=lambda mark: mark.start):
        if mark.joint is Joint.SYMBOL and 0 <= mark.start < len(text):
            path = tuple(part for part in mark.label.split(".") if part)
            yield Unit(mark.start, int(mark.number or 0), path)


def _closed(gauge: Gauge, units: Sequence[Unit]) -> Iterator[Unit]:
    """What fits into a chunk with all its members is not opened."""
    index = 0
    while index < len(units):
        unit = units[index]
        yield unit
        index += 1
        after = index
        while unit.path and after < len(units) and units[after].depth > unit.depth:
            after += 1
        end = units[after].start if after < len(units) else len(gauge.text)
        if gauge.tokens(unit.start, end) <= TARGET_TOKENS:
            index = after


def _cut(gauge: Gauge, block: Block, *, parsed: bool) -> list[Span]:
    if gauge.tokens(block.start, block.end) <= TARGET_TOKENS:
        return [(block.start, block.end)]
    least = min((unit.depth for unit in block.units), default=0)
    steps = ((unit.start, unit.depth - least) for unit in block.units)
    inner = ((at, _BY_DEPTH[min(depth, len(_BY_DEPTH) - 1)]) for at, depth in steps)
    lines = _line_seams(gauge.text, block.start, block.end, parsed)
    return pack(gauge, with_joints(lines, inner), STYLE, block.start, block.end)


def _line_seams(text: str, start: int, end: int, parsed: bool) -> Iterator[Place]:
    """Where lines begin; without a syntax tree, blank lines and indents say what is a block."""
    last, inside = start, False
    for line in _LINE.finditer(text, start, end):
        if not line[0].isspace():
            blank = text.count("\n", last, line.start()) > 1
            was_inside, inside = inside, bool(_INSIDE.match(line[0]))
            seam = Seam.LINE if parsed else _seam(line[0], blank, was_inside and not inside)
            yield line.start(), seam
            last = line.end()


def _seam(line: str, blank: bool, back_out: bool) -> Seam:
    if blank:
        return Seam.ITEM if line[0].isspace() else Seam.PARAGRAPH
    return Seam.SENTENCE if back_out else Seam.LINE


def _trimmed(text: str, span: Span) -> Iterator[Span]:
    """Free of blank lines around it, but with the indent of its first line."""
    start, end = span
    content = text[start:end].rstrip()
    bare = content.lstrip()
    if bare:
        begin = content.rfind("\n", 0, len(content) - len(bare)) + 1
        yield start + begin, start + len(content)
