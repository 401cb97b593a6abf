"""Parse code within bounds of time and memory, whatever it contains."""

import time
from dataclasses import dataclass

import numpy as np
from tree_sitter import Language, Node, Parser, Tree

# The parser's error recovery is quadratic and cannot be interrupted, so the text is parsed in
# parts, a probe of each part first, and when the budget is spent the parser gets the end of the
# text.
PART_CHARS = 128_000
_PROBE_BYTES = 4_000
_PROBE_ERRORS = 24
_BUDGET_S, _BUDGET_S_PER_CHARACTER = 2.0, 2e-6
_READ_BYTES = 256


class Budget:
    """The processor time to spend on parsing one text."""

    def __init__(self, characters: int) -> None:
        self.deadline_s = time.thread_time() + _BUDGET_S + characters * _BUDGET_S_PER_CHARACTER

    @property
    def spent(self) -> bool:
        return time.thread_time() > self.deadline_s


@dataclass(frozen=True, slots=True)
class SourceCode:
    """Code as bytes for the parser, with the character position of each byte."""

    data: bytes
    offset: int
    characters: np.ndarray | None

    @classmethod
    def of(cls, text: str, start: int, end: int) -> "SourceCode":
        data = text[start:end].encode("utf-8", "surrogatepass")
        if len(data) == end - start:
            return cls(data, start, None)
        begins = (np.frombuffer(data, dtype=np.uint8) & 0xC0) != 0x80
        return cls(data, start, np.cumsum(begins, dtype=np.int32))

    def position(self, byte: int) -> int:
        """The offset in the text of the character that starts at this byte."""
        if self.characters is None:
            return self.offset + byte
        return self.offset + (int(self.characters[byte - 1]) if byte else 0)

    def text(self, node: Node) -> str:
        return self.data[node.start_byte : node.end_byte].decode("utf-8", "replace")


def parse(source: SourceCode, grammar: Language, budget: Budget) -> Tree | None:
    """The syntax tree, or None when the code is not in that language or takes too long to parse."""
    probe = source.data[: source.data.rfind(b"\n", 0, _PROBE_BYTES) + 1 or _PROBE_BYTES]
    if len(probe) < len(source.data):
        probe_tree = _parse(probe, grammar, budget)
        if probe_tree is None or _count_errors(probe_tree) > _PROBE_ERRORS:
            return None
    return _parse(source.data, grammar, budget)


def _parse(data: bytes, grammar: Language, budget: Budget) -> Tree | None:
    def read(offset: int, _: object) -> bytes:
        return b"" if budget.spent else data[offset : offset + _READ_BYTES]

    tree = Parser(grammar).parse(read)
    return None if budget.spent else tree


def _count_errors(tree: Tree) -> int:
    """The number of error nodes and missing nodes in a tree."""
    errors, stack = 0, [tree.root_node]
    while stack:
        node = stack.pop()
        errors += node.is_error or node.is_missing
        stack.extend(child for child in node.children if child.has_error)
    return errors
