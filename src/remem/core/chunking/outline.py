"""Outline code by its syntax tree: where each definition begins, and the code between them."""

import re
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from tree_sitter import Language, Node

from remem.core.chunking.blocks import Unit
from remem.core.chunking.languages import grammar_of, language_named
from remem.core.chunking.model import TARGET_TOKENS, Joint, Mark, Span
from remem.core.chunking.patterns import units_in
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


# Find the functions and classes that nodes of a syntax tree define, and their names.


# Node types of all grammars together; where two grammars share a type, it means the same.
_FUNCTIONS = """
    function_definition function_declaration function_item function_statement function
    function_signature generator_function_declaration local_function_statement
    method_definition method_declaration method singleton_method class_method_definition
    constructor_declaration constructor_definition destructor_declaration init_declaration
    deinit_declaration modifier_definition macro_definition operator_declaration subroutine
    subroutine_declaration_statement procedure_declaration create_function create_procedure
    create_trigger value_definition bind
"""
_TYPES = """
    class_definition class_declaration abstract_class_declaration class class_specifier
    class_interface class_implementation class_statement category_interface
    category_implementation interface_declaration trait_item trait_declaration trait_definition
    protocol_declaration struct_item struct_declaration struct_specifier struct_definition
    union_item union_declaration enum_item enum_declaration enum_definition enum_specifier
    enum_statement impl_item object_definition object_declaration record_declaration
    record_struct_declaration contract_declaration library_declaration type_declaration
    type_definition type_alias_declaration data_type newtype instance create_table create_view
    create_type
"""
_DEFINITIONS = frozenset(_FUNCTIONS.split() + _TYPES.split())
# These nodes also occur as mere references.
_NEEDS_BODY = frozenset("struct_specifier class_specifier enum_specifier".split())
# They wrap a definition, which takes their span.
_WRAPPERS = frozenset(
    "export_statement decorated_definition template_declaration statement declaration"
    " ambient_declaration expression_statement".split()
)
# They bind a name to a value, which may be a function or a class.
_BINDERS = frozenset(
    "lexical_declaration variable_declaration variable_declarator assignment_expression"
    " assignment assignment_statement field_definition public_field_definition".split()
)
_VALUES = frozenset(
    "arrow_function function_expression generator_function class function_definition"
    " struct_declaration enum_declaration union_declaration".split()
)
_IDENTIFIERS = frozenset(
    "identifier simple_identifier type_identifier field_identifier property_identifier name"
    " constant word simple_name function_name module_name value_name type_constructor bareword"
    " object_reference alias variable".split()
)
_NAME_FIELDS = {"impl_item": ("type",)}
_UNNAMED = {
    "init_declaration": "init",
    "deinit_declaration": "deinit",
    "constructor_definition": "constructor",
}
_MACROS = re.compile(r"def(?:p|macrop?|module|protocol|impl|guardp?|delegate)?$")
_TYPE_ARGUMENTS = re.compile(r"<[^<>]*>|\[[^\[\]]*\]")
_SEPARATOR = re.compile(r"::|[.:#\\]")
_MAX_CHILDREN, _MAX_DEPTH, _NAME_LIMIT = 12, 3, 100


class Symbol(NamedTuple):
    """A definition: the node that contains its parts, and its name, outermost part first."""

    node: Node
    names: tuple[str, ...]


def symbol_of(source: SourceCode, node: Node, depth: int = 0) -> Symbol | None:
    """The symbol a node defines, directly, in a wrapper, or as a value bound to a name."""
    kind = node.type
    if kind in _DEFINITIONS:
        is_definition = kind not in _NEEDS_BODY or node.child_by_field_name("body") is not None
        return Symbol(node, names_of(source, node)) if is_definition else None
    if kind == "call":
        return _macro_symbol(source, node)
    if depth < _MAX_DEPTH and kind in _WRAPPERS | _BINDERS:
        inner_symbols = (symbol_of(source, child, depth + 1) for child in _children(node))
        inner_symbol = next((symbol for symbol in inner_symbols if symbol), None)
        return inner_symbol if kind in _WRAPPERS else _bound_symbol(source, node) or inner_symbol
    return None


def _bound_symbol(source: SourceCode, node: Node) -> Symbol | None:
    parts = _children(node)
    if len(parts) < 2:
        return None
    target, value = parts[0], parts[-1]
    while value.type == "expression_list" and value.named_child_count == 1:
        value = _children(value)[0]
    if value.type in _VALUES:
        return Symbol(value, _split_name(source.text(target)))
    if target.type == "call_expression":
        return Symbol(node, names_of(source, target))
    return None


def _macro_symbol(source: SourceCode, node: Node) -> Symbol | None:
    """The symbol of a call that is a definition: `defmodule Name do … end`."""
    parts = _children(node)
    if len(parts) < 2 or not _MACROS.match(source.text(parts[0])):
        return None
    return Symbol(
        node, _split_name(source.text(parts[1]).split("(")[0].split(",")[0].split(" ")[0])
    )


def names_of(source: SourceCode, node: Node) -> tuple[str, ...]:
    """The name of a definition or namespace, outermost part first."""
    if node.type in _UNNAMED:
        return (_UNNAMED[node.type],)
    name_node = _name_node(node)
    names = _split_name(source.text(name_node)) if name_node else ()
    receiver = node.child_by_field_name("receiver")
    if receiver is not None:
        owner = re.findall(r"\w+", _TYPE_ARGUMENTS.sub("", source.text(receiver)))
        names = (*owner[-1:], *names)
    return names


def _name_node(node: Node, depth: int = 0) -> Node | None:
    """The node of a definition's name, searched where grammars put it."""
    if node.type == "qualified_identifier":
        return node
    for field in _NAME_FIELDS.get(node.type, ("name", "declarator", "pattern")):
        field_node = node.child_by_field_name(field)
        if field_node is not None:
            return (
                _name_node(field_node, depth)
                if field == "declarator" and field_node.child_count
                else field_node
            )
    direct = next((child for child in _children(node) if child.type in _IDENTIFIERS), None)
    if direct is not None or depth >= _MAX_DEPTH:
        return direct
    inner = (_name_node(child, depth + 1) for child in _children(node)[:2])
    return next((inner_node for inner_node in inner if inner_node), None)


def _children(node: Node) -> list[Node]:
    return list(
        islice((child for child in node.named_children if not child.is_extra), _MAX_CHILDREN)
    )


def _split_name(name: str) -> tuple[str, ...]:
    without_arguments = _TYPE_ARGUMENTS.sub("", name[: 4 * _NAME_LIMIT])
    parts = (" ".join(part.split()) for part in _SEPARATOR.split(without_arguments))
    return tuple(part[:_NAME_LIMIT] for part in parts if part)
