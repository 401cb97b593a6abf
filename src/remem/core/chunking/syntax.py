"""Parse code within bounds of time and memory, whatever it contains."""

import time
from dataclasses import dataclass

import numpy as np
from tree_sitter import Language, Node, Parser, Tree

# Repairing broken code costs the parser the square of its length, and it cannot be stopped;
# but it can be told that the text ends here.
_PROBE_BYTES = 4_000
_PROBE_ERRORS = 0.5
_BUDGET_S, _BUDGET_S_A_BYTE = 1.0, 2e-6
_READ_BYTES = 256


@dataclass(frozen=True, slots=True)
class Source:
    """Code as the parser sees it: bytes, and where each byte is among the characters."""

    data: bytes
    offset: int
    characters: np.ndarray | None

    @classmethod
    def of(cls, text: str, start: int, end: int) -> "Source":
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


def parse(source: Source, grammar: Language) -> Tree | None:
    """The syntax tree, or None when this is not code of that language, or too hard to read."""
    probe = source.data[: source.data.rfind(b"\n", 0, _PROBE_BYTES) + 1 or _PROBE_BYTES]
    if len(probe) < len(source.data):
        tried = _parse(probe, grammar)
        if tried is None or _broken(tried) > _PROBE_ERRORS:
            return None
    return _parse(source.data, grammar)


def _parse(data: bytes, grammar: Language) -> Tree | None:
    deadline = time.thread_time() + _BUDGET_S + len(data) * _BUDGET_S_A_BYTE
    late = False

    def read(offset: int, _: object) -> bytes:
        nonlocal late
        late = late or time.thread_time() > deadline
        return b"" if late else data[offset : offset + _READ_BYTES]

    tree = Parser(grammar).parse(read)
    return None if late else tree


def _broken(tree: Tree) -> float:
    """The share of the text that the grammar could make nothing of."""
    root = tree.root_node
    if root.is_error:
        return 1.0
    errors = sum(child.end_byte - child.start_byte for child in root.children if child.is_error)
    return errors / max(1, root.end_byte - root.start_byte)
