"""What a piece of code defines, in order, each with the path of its name."""

from collections.abc import Iterator

from tree_sitter import Node

from remem.core.chunking.languages import grammar_of, language_named
from remem.core.chunking.outline import is_space
from remem.core.chunking.symbols import names_of, symbol_of
from remem.core.chunking.syntax import PART_CHARS, Budget, Source, parse

_DEPTH = 4
_FUNCTIONS = ("function", "method", "subroutine", "procedure", "constructor", "bind", "value")


def definitions(code: str, language: str | None) -> list[tuple[str, ...]]:
    """Functions, classes and their members; of a long text, those at its beginning."""
    name = language_named(language)
    grammar = grammar_of(name) if name else None
    source = Source.of(code, 0, min(len(code), PART_CHARS))
    tree = parse(source, grammar, Budget(len(code))) if grammar else None
    return list(dict.fromkeys(_within(source, tree.root_node))) if tree else []


def _within(source: Source, root: Node) -> Iterator[tuple[str, ...]]:
    held: list[tuple[Node, tuple[str, ...], int]] = [(root, (), 0)]
    while held:
        node, path, depth = held.pop()
        symbol = symbol_of(source, node) if depth else None
        names = symbol.names if symbol else names_of(source, node) if is_space(node) else ()
        if names and depth:
            path, depth = path + names, 0
            yield path
        if symbol and symbol.node.type.startswith(_FUNCTIONS):
            continue
        if depth < _DEPTH:
            inner = symbol.node if symbol else node
            below = (child for child in reversed(inner.named_children) if child.type != "signature")
            held += [(child, path, depth + 1) for child in below]
