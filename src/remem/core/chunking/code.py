"""Split code so that functions and classes stay whole."""

import re
from collections.abc import Iterable, Iterator, Sequence

from remem.core.chunking.blocks import Block, Unit, blocks_of
from remem.core.chunking.joints import with_joints
from remem.core.chunking.model import TARGET_TOKENS, Joint, Mark, Piece, Span
from remem.core.chunking.pack import Place, Seam, Style, pack
from remem.core.chunking.patterns import units_in
from remem.core.chunking.token_counter import TokenCounter

STYLE = Style(overlap_tokens=0)
_LINE = re.compile(r"[^\n]+")
_INSIDE = re.compile(r"\s|[)\]}]|(?:end|done|fi|esac)\b")
_BY_DEPTH = (Seam.PARAGRAPH, Seam.ITEM, Seam.SENTENCE)


def split_code(counter: TokenCounter, marks: Sequence[Mark]) -> list[Piece]:
    """Split code into definitions and groups of other code; the path of a piece is its qualified
    name.

    The syntax tree arrives as marks; without marks, definitions are recognised line by line."""
    parsed = list(_units_of_marks(counter.text, marks))
    units = parsed or _skip_members(counter, list(units_in(counter.text)))
    return [
        Piece(counter.text[start:end], start, end, block.path)
        for block in blocks_of(counter, units)
        for span in _split_block(counter, block, parsed=bool(parsed))
        for start, end in _strip_blank_lines(counter.text, span)
    ]


def _units_of_marks(text: str, marks: Iterable[Mark]) -> Iterator[Unit]:
    for mark in sorted(marks, key=lambda mark: mark.start):
        if mark.joint is Joint.SYMBOL and 0 <= mark.start < len(text):
            path = tuple(part for part in mark.label.split(".") if part)
            yield Unit(mark.start, int(mark.number or 0), path)


def _skip_members(counter: TokenCounter, units: Sequence[Unit]) -> Iterator[Unit]:
    """Skip the members of units that fit into a chunk as a whole."""
    index = 0
    while index < len(units):
        unit = units[index]
        yield unit
        index += 1
        after = index
        while unit.path and after < len(units) and units[after].depth > unit.depth:
            after += 1
        end = units[after].start if after < len(units) else len(counter.text)
        if counter.tokens(unit.start, end) <= TARGET_TOKENS:
            index = after


def _split_block(counter: TokenCounter, block: Block, *, parsed: bool) -> list[Span]:
    if counter.tokens(block.start, block.end) <= TARGET_TOKENS:
        return [(block.start, block.end)]
    min_depth = min((unit.depth for unit in block.units), default=0)
    relative_depths = ((unit.start, unit.depth - min_depth) for unit in block.units)
    unit_seams = ((at, _BY_DEPTH[min(depth, len(_BY_DEPTH) - 1)]) for at, depth in relative_depths)
    lines = _line_seams(counter.text, block.start, block.end, parsed)
    return pack(counter, with_joints(lines, unit_seams), STYLE, block.start, block.end)


def _line_seams(text: str, start: int, end: int, parsed: bool) -> Iterator[Place]:
    """Seams at line starts; without a syntax tree, blank lines and indents delimit blocks."""
    last, inside = start, False
    for line in _LINE.finditer(text, start, end):
        if not line[0].isspace():
            after_blank_line = text.count("\n", last, line.start()) > 1
            was_inside, inside = inside, bool(_INSIDE.match(line[0]))
            seam = (
                Seam.LINE if parsed else _seam(line[0], after_blank_line, was_inside and not inside)
            )
            yield line.start(), seam
            last = line.end()


def _seam(line: str, after_blank_line: bool, leaves_block: bool) -> Seam:
    if after_blank_line:
        return Seam.ITEM if line[0].isspace() else Seam.PARAGRAPH
    return Seam.SENTENCE if leaves_block else Seam.LINE


def _strip_blank_lines(text: str, span: Span) -> Iterator[Span]:
    """Strip blank lines around a span, but keep the indent of its first line."""
    start, end = span
    content = text[start:end].rstrip()
    stripped = content.lstrip()
    if stripped:
        begin = content.rfind("\n", 0, len(content) - len(stripped)) + 1
        yield start + begin, start + len(content)
