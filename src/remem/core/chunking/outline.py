"""Outline code by its syntax tree: where each definition begins, and the code between them."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from tree_sitter import Language, Node

from remem.core.chunking.blocks import Unit
from remem.core.chunking.languages import grammar_of, language_named
from remem.core.chunking.model import TARGET_TOKENS, Joint, Mark, Span
from remem.core.chunking.patterns import units_in
from remem.core.chunking.symbols import names_of, symbol_of
from remem.core.chunking.syntax import PART_CHARS, Budget, SourceCode, parse
from remem.core.chunking.token_counter import TokenCounter

# Always entered, however small: they contain definitions.
_NAMESPACES = frozenset(
    "namespace_definition namespace_declaration mod_item module module_definition"
    " internal_module".split()
)
_CONTAINERS = frozenset(
    "declarations imports statement_list internal_procedures implementation_definition"
    " preproc_ifdef preproc_if preproc_else preproc_elif linkage_specification declaration_list"
    " body_statement module_binding structure ERROR".split()
)
# Nodes that belong to the definition below them.
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
    """Definitions and the code between them, as SYMBOL marks.

    Grammars are third-party C code: on broken input some have crashed or hung. Call this only in a
    disposable process, and continue without an outline when it fails."""
    name, counter, budget = language_named(code_language), TokenCounter(text), Budget(len(text))
    grammar = grammar_of(name) if name else None
    if grammar is None:
        return []
    units = [unit for span in _parts(text) for unit in _units(counter, span, grammar, budget)]
    return [Mark(Joint.SYMBOL, unit.start, ".".join(unit.path), unit.depth) for unit in units]


def _units(counter: TokenCounter, span: Span, grammar: Language, budget: Budget) -> Iterator[Unit]:
    source = SourceCode.of(counter.text, *span)
    tree = parse(source, grammar, budget) if not budget.spent else None
    if tree:
        yield from _TreeWalk(counter, source).units(tree.root_node)
    else:
        yield from units_in(counter.text, *span)


def _parts(text: str) -> Iterator[Span]:
    """The parts to parse separately: the whole text, or parts that end at the least indented gap
    near the limit."""
    start = 0
    while len(text) - start > PART_CHARS:
        min_end = start + PART_CHARS * 3 // 4
        gaps = list(_GAP.finditer(text, min_end, start + PART_CHARS))
        best = min(gaps, key=lambda gap: (len(gap[1]), -gap.start()), default=None)
        line_start = text.rfind("\n", min_end, start + PART_CHARS) + 1
        end = best.start(1) if best else line_start or start + PART_CHARS
        yield start, end
        start = end
    yield start, len(text)


class _TreeWalk:
    """Walk the tree iteratively, because its depth is unlimited; enter only nodes too big for a
    chunk."""

    def __init__(self, counter: TokenCounter, source: SourceCode) -> None:
        self.counter, self.source = counter, source
        self.leading_comment: Node | None = None
        self.end = source.offset
        self.frames: list[_Frame] = []

    def units(self, root: Node) -> Iterator[Unit]:
        self._enter(root, (), 0)
        while self.frames:
            frame = self.frames[-1]
            node = next(frame.nodes, None)
            if node is None:
                yield from self._flush(frame)
                self.frames.pop()
            elif node.is_named and node.end_byte > node.start_byte:
                yield from self._handle(node, frame)

    def _handle(self, node: Node, frame: _Frame) -> Iterator[Unit]:
        lines = self._lines_since(node)
        if lines > 1:
            yield from self._flush(frame)
        if not _ATTACHED.search(node.type):
            yield from self._visit(node, frame)
        elif self.leading_comment is None and lines > 0:
            self.leading_comment = node

    def _lines_since(self, node: Node) -> int:
        """How many lines below the previous node this one begins."""
        text, previous_end = self.counter.text, self.end
        self.end = self.source.position(node.end_byte)
        ended_line = previous_end > 0 and text[previous_end - 1] == "\n"
        return text.count("\n", previous_end, self.source.position(node.start_byte)) + ended_line

    def _flush(self, frame: _Frame) -> Iterator[Unit]:
        """Yield a pending leading comment that no definition followed."""
        if self.leading_comment is not None:
            yield Unit(self._start(self.leading_comment), frame.depth, frame.path)
            self.leading_comment = None

    def _visit(self, node: Node, frame: _Frame) -> Iterator[Unit]:
        start, self.leading_comment = self._start(self.leading_comment or node), None
        if is_namespace(node) or node.type in _CONTAINERS or node.start_byte == frame.body:
            path = frame.path + (names_of(self.source, node) if is_namespace(node) else ())
            yield Unit(start, frame.depth, path)
            self._enter(node, path, frame.depth + 1)
            return
        symbol = symbol_of(self.source, node)
        path = frame.path + symbol.names if symbol else frame.path
        is_big = self.counter.tokens(start, self.source.position(node.end_byte)) > TARGET_TOKENS
        yield Unit(start, frame.depth, path)
        if is_big:
            self._enter(symbol.node if symbol else node, path, frame.depth + 1)

    def _enter(self, node: Node, path: tuple[str, ...], depth: int) -> None:
        body = _body(node) if node.type in _NAMESPACES else None
        start = body.start_byte if body is not None else None
        self.frames.append(_Frame(iter(node.children), path, depth, start))

    def _start(self, node: Node) -> int:
        """The start of the node's line if only white space precedes it, else of the node itself."""
        position = self.source.position(node.start_byte)
        text, min_start = self.counter.text, max(self.source.offset, position - _INDENT_LIMIT)
        line_start = text.rfind("\n", min_start, position) + 1
        return (
            line_start
            if line_start > min_start and text[line_start:position].isspace()
            else position
        )


def is_namespace(node: Node) -> bool:
    """Whether a node is a namespace; without a body it is a plain statement."""
    return node.type in _NAMESPACES and ("module" in node.type or _body(node) is not None)


def _body(node: Node) -> Node | None:
    return node.child_by_field_name("body")
