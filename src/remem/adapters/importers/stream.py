"""JSON of any length, one value at a time: the elements of its lists, never the whole."""

import json
import re
from collections.abc import Iterator
from typing import IO, Any, NoReturn

from remem.adapters.importers.limits import VALUE_BYTES
from remem.core.errors import Unreadable

BLOCK_BYTES = 1 << 18
_BOM = b"\xef\xbb\xbf"
_SPACE = b" \t\r\n"
_JOINT = re.compile(rb'["{}\[\]]')
_STRING_END = re.compile(rb'["\\]')
_SCALAR_END = re.compile(rb"[,\]}\s]")


def values(file: IO[bytes]) -> Iterator[tuple[str, Any]]:
    """Each element of a list, or of the lists an object has, with the key it stands under; other
    fields of the object whole. Objects one after another come each as an element."""
    scanner = _Scanner(file)
    opening = scanner.peek()
    if opening == b"[":
        yield from (("", one) for one in scanner.elements())
    elif opening == b"{" and scanner.is_line():
        while scanner.peek() == b"{":
            yield "", scanner.value()
    elif opening == b"{":
        yield from scanner.members()
    else:
        _damaged("does not begin like JSON")
    if scanner.peek():
        _damaged("goes on behind its end")


class _Scanner:
    def __init__(self, file: IO[bytes]) -> None:
        self._file, self._held, self._at = file, bytearray(), 0
        self._more()
        if self._held.startswith(_BOM):
            self._at = len(_BOM)

    def peek(self) -> bytes:
        """The next byte that is no white space; none at the end."""
        while True:
            while self._at < len(self._held) and self._held[self._at] in _SPACE:
                self._at += 1
            if self._at < len(self._held):
                return bytes(self._held[self._at : self._at + 1])
            if not self._more():
                return b""

    def is_line(self) -> bool:
        """Whether an object ends with the first line, and another begins with the second."""
        line, found, rest = bytes(self._held[self._at :]).partition(b"\n")
        if not found or not rest.lstrip().startswith(b"{"):
            return False
        try:
            return isinstance(json.loads(line), dict)
        except (ValueError, RecursionError):
            return False

    def elements(self) -> Iterator[Any]:
        self._skip(b"[")
        while (next := self.peek()) != b"]":
            if next == b",":
                self._skip(b",")
            yield self.value()
        self._skip(b"]")

    def members(self) -> Iterator[tuple[str, Any]]:
        self._skip(b"{")
        while (next := self.peek()) != b"}":
            if next == b",":
                self._skip(b",")
            key = str(self.value())
            self._skip(b":")
            if self.peek() == b"[":
                yield from ((key, one) for one in self.elements())
            else:
                yield key, self.value()
        self._skip(b"}")

    def value(self) -> Any:
        opening = self.peek()
        del self._held[: self._at]
        self._at = 0
        if not opening:
            _damaged("ends in the middle")
        end = self._end(opening)
        self._at = end
        try:
            return json.loads(bytes(self._held[:end]))
        except (ValueError, RecursionError):
            _damaged("is not JSON in UTF-8")

    def _skip(self, expected: bytes) -> None:
        if self.peek() != expected:
            _damaged("ends in the middle" if not self.peek() else "is not JSON")
        self._at += 1

    def _end(self, opening: bytes) -> int:
        if opening == b'"':
            return self._string_end(1)
        if opening in b"{[":
            return self._nested_end()
        found = self._find(_SCALAR_END, 0, at_end=True)
        return found or _damaged("is not JSON")

    def _nested_end(self) -> int:
        depth, at = 0, 0
        while True:
            at = self._find(_JOINT, at)
            joint = self._held[at]
            at += 1
            if joint == ord('"'):
                at = self._string_end(at)
                continue
            depth += 1 if joint in b"{[" else -1
            if depth == 0:
                return at

    def _string_end(self, at: int) -> int:
        while True:
            at = self._find(_STRING_END, at)
            if self._held[at] == ord('"'):
                return at + 1
            at += 2

    def _find(self, pattern: re.Pattern[bytes], at: int, *, at_end: bool = False) -> int:
        while True:
            if found := pattern.search(self._held, at):
                return found.start()
            at = max(at, len(self._held))
            if not self._more():
                return len(self._held) if at_end else _damaged("ends in the middle")

    def _more(self) -> bool:
        if len(self._held) - self._at > VALUE_BYTES:
            raise Unreadable(
                f"The file has one thing of more than {VALUE_BYTES / 1e6:,.0f} MB, and that is "
                "not read; take it out, or save it as a file of its own."
            )
        block = self._file.read(BLOCK_BYTES)
        self._held += block
        return bool(block)


def _damaged(how: str) -> NoReturn:
    raise Unreadable(f"The file {how}: it is damaged or incomplete; export it again.")
