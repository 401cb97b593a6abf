"""Find the functions and classes that nodes of a syntax tree define, and their names."""

import re
from itertools import islice
from typing import NamedTuple

from tree_sitter import Node

from remem.core.chunking.syntax import SourceCode

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
