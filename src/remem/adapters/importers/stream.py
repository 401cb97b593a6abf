"""Parse JSON of any length as a stream, one element of its lists at a time."""

import json
import re
from collections.abc import Iterator
from typing import IO, Any, NoReturn

from remem.adapters.importers.limits import VALUE_BYTES
from remem.core.errors import Unreadable

BLOCK_BYTES = 1 << 18
_BOM = b"\xef\xbb\xbf"
_SPACE = b" \t\r\n"
_BRACKET_OR_QUOTE = re.compile(rb'["{}\[\]]')
_STRING_END = re.compile(rb'["\\]')
_SCALAR_END = re.compile(rb"[,\]}\s]")


def values(file: IO[bytes]) -> Iterator[tuple[str, Any]]:
    """Yield each element of a list, or of the lists in an object with their keys; other fields of
    the object as a whole. Consecutive objects are yielded one by one."""
    scanner = _Scanner(file)
    opening = scanner.peek()
    if opening == b"[":
        yield from (("", element) for element in scanner.elements())
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
        self._file, self._buffer, self._position = file, bytearray(), 0
        self._read_more()
        if self._buffer.startswith(_BOM):
            self._position = len(_BOM)

    def peek(self) -> bytes:
        """Return the next byte that is not whitespace; empty at the end."""
        while True:
            while self._position < len(self._buffer) and self._buffer[self._position] in _SPACE:
                self._position += 1
            if self._position < len(self._buffer):
                return bytes(self._buffer[self._position : self._position + 1])
            if not self._read_more():
                return b""

    def is_line(self) -> bool:
        """Whether the first line is a complete object and the second begins another."""
        line, newline, rest = bytes(self._buffer[self._position :]).partition(b"\n")
        if not newline or not rest.lstrip().startswith(b"{"):
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
                yield from ((key, element) for element in self.elements())
            else:
                yield key, self.value()
        self._skip(b"}")

    def value(self) -> Any:
        opening = self.peek()
        del self._buffer[: self._position]
        self._position = 0
        if not opening:
            _damaged("ends in the middle")
        end = self._value_end(opening)
        self._position = end
        try:
            return json.loads(bytes(self._buffer[:end]))
        except (ValueError, RecursionError):
            _damaged("is not JSON in UTF-8")

    def _skip(self, expected: bytes) -> None:
        if self.peek() != expected:
            _damaged("ends in the middle" if not self.peek() else "is not JSON")
        self._position += 1

    def _value_end(self, opening: bytes) -> int:
        if opening == b'"':
            return self._string_end(1)
        if opening in b"{[":
            return self._nested_end()
        position = self._find(_SCALAR_END, 0, at_end=True)
        return position or _damaged("is not JSON")

    def _nested_end(self) -> int:
        depth, position = 0, 0
        while True:
            position = self._find(_BRACKET_OR_QUOTE, position)
            bracket = self._buffer[position]
            position += 1
            if bracket == ord('"'):
                position = self._string_end(position)
                continue
            depth += 1 if bracket in b"{[" else -1
            if depth == 0:
                return position

    def _string_end(self, position: int) -> int:
        while True:
            position = self._find(_STRING_END, position)
            if self._buffer[position] == ord('"'):
                return position + 1
            position += 2

    def _find(self, pattern: re.Pattern[bytes], position: int, *, at_end: bool = False) -> int:
        while True:
            if match := pattern.search(self._buffer, position):
                return match.start()
            position = max(position, len(self._buffer))
            if not self._read_more():
                return len(self._buffer) if at_end else _damaged("ends in the middle")

    def _read_more(self) -> bool:
        if len(self._buffer) - self._position > VALUE_BYTES:
            raise Unreadable(
                f"The file has one thing of more than {VALUE_BYTES / 1e6:,.0f} MB, and that is "
                "not read; take it out, or save it as a file of its own."
            )
        block = self._file.read(BLOCK_BYTES)
        self._buffer += block
        return bool(block)


def _damaged(problem: str) -> NoReturn:
    raise Unreadable(f"The file {problem}: it is damaged or incomplete; export it again.")
