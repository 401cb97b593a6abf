"""Read code by its syntax tree: where each definition begins, and what is between them."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from tree_sitter import Language, Node

from remem.core.chunking.blocks import Unit
from remem.core.chunking.gauge import Gauge
from remem.core.chunking.languages import grammar_of, language_named
from remem.core.chunking.model import TARGET_TOKENS, Joint, Mark, Span
from remem.core.chunking.patterns import units_in
from remem.core.chunking.symbols import names_of, symbol_of
from remem.core.chunking.syntax import PART_CHARS, Budget, SourceCode, parse

# Always opened, however small: they contain definitions rather than define something.
_SPACES = frozenset(
    "namespace_definition namespace_declaration mod_item module module_definition"
    " internal_module".split()
)
_LISTS = frozenset(
    "declarations imports statement_list internal_procedures implementation_definition"
    " preproc_ifdef preproc_if preproc_else preproc_elif linkage_specification declaration_list"
    " body_statement module_binding structure ERROR".split()
)
# They belong to the definition below them.
_ATTACHED = re.compile(
    r"comment|haddock|attribute|decorator|annotation|^(?:signature|unary_operator|string_literal)$"
)
_GAP = re.compile(r"\n[ \t]*\n([ \t]*)(?=\S)")
_INDENT_LIMIT = 200


class _Frame(NamedTuple):
    nodes: Iterator[Node]
    path: tuple[str, ...]
    depth: int
    body: int | None


def outline(text: str, code_language: str | None) -> list[Mark]:
    """Where each definition begins, and what stands between them, as SYMBOL marks.

    A grammar is C written by strangers: on broken code some have crashed, some never came back.
    Call this only in a process whose end is nobody's loss, and do without when it fails."""
    name, gauge, budget = language_named(code_language), Gauge(text), Budget(len(text))
    grammar = grammar_of(name) if name else None
    if grammar is None:
        return []
    units = [unit for span in _parts(text) for unit in _units(gauge, span, grammar, budget)]
    return [Mark(Joint.SYMBOL, unit.start, ".".join(unit.path), unit.depth) for unit in units]


def _units(gauge: Gauge, span: Span, grammar: Language, budget: Budget) -> Iterator[Unit]:
    source = SourceCode.of(gauge.text, *span)
    tree = parse(source, grammar, budget) if not budget.spent else None
    if tree:
        yield from _Walk(gauge, source).units(tree.root_node)
    else:
        yield from units_in(gauge.text, *span)


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


class _Walk:
    """Goes down only into what is too big for a chunk; the depth of a tree has no limit."""

    def __init__(self, gauge: Gauge, source: SourceCode) -> None:
        self.gauge, self.source = gauge, source
        self.lead: Node | None = None
        self.end = source.offset
        self.frames: list[_Frame] = []

    def units(self, root: Node) -> Iterator[Unit]:
        self._open(root, (), 0)
        while self.frames:
            frame = self.frames[-1]
            node = next(frame.nodes, None)
            if node is None:
                yield from self._flush(frame)
                self.frames.pop()
            elif node.is_named and node.end_byte > node.start_byte:
                yield from self._meet(node, frame)

    def _meet(self, node: Node, frame: _Frame) -> Iterator[Unit]:
        lines = self._lines_since(node)
        if lines > 1:
            yield from self._flush(frame)
        if not _ATTACHED.search(node.type):
            yield from self._visit(node, frame)
        elif self.lead is None and lines > 0:
            self.lead = node

    def _lines_since(self, node: Node) -> int:
        """How many lines below the node before it this one begins."""
        text, before = self.gauge.text, self.end
        self.end = self.source.position(node.end_byte)
        ended = before > 0 and text[before - 1] == "\n"
        return text.count("\n", before, self.source.position(node.start_byte)) + ended

    def _flush(self, frame: _Frame) -> Iterator[Unit]:
        """What waited for a definition below it stands for itself."""
        if self.lead is not None:
            yield Unit(self._start(self.lead), frame.depth, frame.path)
            self.lead = None

    def _visit(self, node: Node, frame: _Frame) -> Iterator[Unit]:
        start, self.lead = self._start(self.lead or node), None
        if is_space(node) or node.type in _LISTS or node.start_byte == frame.body:
            path = frame.path + (names_of(self.source, node) if is_space(node) else ())
            yield Unit(start, frame.depth, path)
            self._open(node, path, frame.depth + 1)
            return
        symbol = symbol_of(self.source, node)
        path = frame.path + symbol.names if symbol else frame.path
        big = self.gauge.tokens(start, self.source.position(node.end_byte)) > TARGET_TOKENS
        yield Unit(start, frame.depth, path)
        if big:
            self._open(symbol.node if symbol else node, path, frame.depth + 1)

    def _open(self, node: Node, path: tuple[str, ...], depth: int) -> None:
        body = _body(node) if node.type in _SPACES else None
        start = body.start_byte if body is not None else None
        self.frames.append(_Frame(iter(node.children), path, depth, start))

    def _start(self, node: Node) -> int:
        """Where the node's line begins, if nothing else stands before it there."""
        position = self.source.position(node.start_byte)
        text, least = self.gauge.text, max(self.source.offset, position - _INDENT_LIMIT)
        line = text.rfind("\n", least, position) + 1
        return line if line > least and text[line:position].isspace() else position


def is_space(node: Node) -> bool:
    """A namespace without a body is a mere statement."""
    return node.type in _SPACES and ("module" in node.type or _body(node) is not None)


def _body(node: Node) -> Node | None:
    return node.child_by_field_name("body")
