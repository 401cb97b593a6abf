"""Code, cut so that functions and classes stay whole."""

import re
from collections.abc import Iterator, Sequence

from tree_sitter import Language

from remem.core.chunking.blocks import Block, blocks_of
from remem.core.chunking.gauge import Gauge
from remem.core.chunking.joints import with_joints
from remem.core.chunking.languages import grammar_of, language_named
from remem.core.chunking.model import TARGET_TOKENS, Joint, Mark, Piece, Span
from remem.core.chunking.outline import Unit, units_of
from remem.core.chunking.pack import Place, Seam, Style, pack
from remem.core.chunking.syntax import PART_CHARS, Budget, Source, parse

STYLE = Style(overlap_tokens=0)
_GAP = re.compile(r"\n[ \t]*\n([ \t]*)(?=\S)")
_LINE = re.compile(r"[^\n]+")
_INSIDE = re.compile(r"\s|[)\]}]|(?:end|done|fi|esac)\b")
_BY_DEPTH = (Seam.PARAGRAPH, Seam.ITEM, Seam.SENTENCE)


def split_code(gauge: Gauge, language: str | None, marks: Sequence[Mark]) -> list[Piece]:
    """Definitions by themselves, the rest in groups; a name is the path of what it names."""
    name, budget = language_named(language), Budget(len(gauge.text))
    grammar = grammar_of(name) if name else None
    return [
        Piece(gauge.text[start:end], start, end, path)
        for span in _parts(gauge.text)
        for path, cut in _cut_part(gauge, span, grammar, budget, marks)
        for start, end in _trimmed(gauge.text, cut)
    ]


def _parts(text: str) -> Iterator[Span]:
    """What is parsed at once: all of it, or up to the least indented gap near a limit."""
    start = 0
    while len(text) - start > PART_CHARS:
        least = start + PART_CHARS * 3 // 4
        gaps = list(_GAP.finditer(text, least, start + PART_CHARS))
        best = min(gaps, key=lambda gap: (len(gap[1]), -gap.start()), default=None)
        line = text.rfind("\n", least, start + PART_CHARS) + 1
        end = best.start(1) if best else line or start + PART_CHARS
        yield start, end
        start = end
    yield start, len(text)


def _cut_part(
    gauge: Gauge, span: Span, grammar: Language | None, budget: Budget, marks: Sequence[Mark]
) -> Iterator[tuple[tuple[str, ...], Span]]:
    source = Source.of(gauge.text, *span)
    tree = parse(source, grammar, budget) if grammar and not budget.spent else None
    units = units_of(gauge, source, tree.root_node) if tree else _marked(marks, *span)
    for block in blocks_of(gauge, units, *span):
        for cut in _cut_block(gauge, block, parsed=tree is not None):
            yield block.path, cut


def _marked(marks: Sequence[Mark], start: int, end: int) -> Iterator[Unit]:
    """Without a tree, the definitions that somebody else has found."""
    for mark in sorted(marks, key=lambda mark: mark.start):
        if mark.joint is Joint.SYMBOL and start <= mark.start < end:
            yield Unit(mark.start, 0, tuple(part for part in mark.label.split(".") if part), False)


def _cut_block(gauge: Gauge, block: Block, *, parsed: bool) -> list[Span]:
    if gauge.tokens(block.start, block.end) <= TARGET_TOKENS:
        return [(block.start, block.end)]
    least = min((unit.depth for unit in block.units), default=0)
    steps = ((unit.start, unit.depth - least) for unit in block.units if parsed)
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
