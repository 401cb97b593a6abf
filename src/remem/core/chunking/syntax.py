"""Parse code within bounds of time and memory, whatever it contains."""

import time
from dataclasses import dataclass

import numpy as np
from tree_sitter import Language, Node, Parser, Tree

# Repairing broken code costs the parser the square of its length, and it cannot be stopped:
# so it is given parts, a taste of each first, and is given the end of the text when it takes long.
PART_CHARS = 128_000
_PROBE_BYTES = 4_000
_PROBE_ERRORS = 24
_BUDGET_S, _BUDGET_S_A_CHARACTER = 2.0, 2e-6
_READ_BYTES = 256


class Budget:
    """Processor time to spend on parsing one text."""

    def __init__(self, characters: int) -> None:
        self.deadline_s = time.thread_time() + _BUDGET_S + characters * _BUDGET_S_A_CHARACTER

    @property
    def spent(self) -> bool:
        return time.thread_time() > self.deadline_s


@dataclass(frozen=True, slots=True)
class SourceCode:
    """Code as the parser sees it: bytes, and where each byte is among the characters."""

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
        """The offset in the text of the character that this byte begins."""
        if self.characters is None:
            return self.offset + byte
        return self.offset + (int(self.characters[byte - 1]) if byte else 0)

    def text(self, node: Node) -> str:
        return self.data[node.start_byte : node.end_byte].decode("utf-8", "replace")


def parse(source: SourceCode, grammar: Language, budget: Budget) -> Tree | None:
    """The syntax tree, or None when this is not code of that language, or too hard to read."""
    probe = source.data[: source.data.rfind(b"\n", 0, _PROBE_BYTES) + 1 or _PROBE_BYTES]
    if len(probe) < len(source.data):
        tried = _parse(probe, grammar, budget)
        if tried is None or _errors(tried) > _PROBE_ERRORS:
            return None
    return _parse(source.data, grammar, budget)


def _parse(data: bytes, grammar: Language, budget: Budget) -> Tree | None:
    def read(offset: int, _: object) -> bytes:
        return b"" if budget.spent else data[offset : offset + _READ_BYTES]

    tree = Parser(grammar).parse(read)
    return None if budget.spent else tree


def _errors(tree: Tree) -> int:
    """How many times the grammar was at a loss."""
    errors, waiting = 0, [tree.root_node]
    while waiting:
        node = waiting.pop()
        errors += node.is_error or node.is_missing
        waiting.extend(child for child in node.children if child.has_error)
    return errors
