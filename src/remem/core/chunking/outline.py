"""Read a syntax tree from top to bottom as units: definitions, and what stands between them."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from tree_sitter import Node

from remem.core.chunking.gauge import Gauge
from remem.core.chunking.model import TARGET_TOKENS
from remem.core.chunking.symbols import names_of, symbol_of
from remem.core.chunking.syntax import Source

# Always opened, however small: they hold definitions rather than define something.
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
_INDENT_LIMIT = 200


class Unit(NamedTuple):
    """From `start` to the next unit. `whole`: a definition that fits into a chunk."""

    start: int
    depth: int
    path: tuple[str, ...]
    whole: bool


class _Frame(NamedTuple):
    nodes: Iterator[Node]
    path: tuple[str, ...]
    depth: int
    body: int | None


def units_of(gauge: Gauge, source: Source, root: Node) -> Iterator[Unit]:
    """The units of a tree, each beginning where its line does."""
    return _Walk(gauge, source).units(root)


class _Walk:
    """Goes down only into what is too big for a chunk; the depth of a tree has no limit."""

    def __init__(self, gauge: Gauge, source: Source) -> None:
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
            yield Unit(self._start(self.lead), frame.depth, frame.path, False)
            self.lead = None

    def _visit(self, node: Node, frame: _Frame) -> Iterator[Unit]:
        start, self.lead = self._start(self.lead or node), None
        if is_space(node) or node.type in _LISTS or node.start_byte == frame.body:
            path = frame.path + (names_of(self.source, node) if is_space(node) else ())
            yield Unit(start, frame.depth, path, False)
            self._open(node, path, frame.depth + 1)
            return
        symbol = symbol_of(self.source, node)
        path = frame.path + symbol.names if symbol else frame.path
        big = self.gauge.tokens(start, self.source.position(node.end_byte)) > TARGET_TOKENS
        yield Unit(start, frame.depth, path, symbol is not None and not big)
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
