"""What one character, or one place between two, is to a regex."""

import re
import unicodedata
from collections.abc import Callable
from functools import cache
from re import _constants as op
from typing import Any

Test = Callable[[str], bool]


def accepts(kind: Any, value: Any, flags: int) -> "Accepts":
    """The same one for every regex that asks the same of a character."""
    return _accepts(kind, tuple(value) if isinstance(value, list) else value, int(flags))


@cache
def _accepts(kind: Any, value: Any, flags: int) -> "Accepts":
    return Accepts(kind, value, flags)


class Accepts(dict[str, bool]):
    """Whether a character matches, looked up and remembered."""

    def __init__(self, kind: Any, value: Any, flags: int) -> None:
        super().__init__()
        self._test = _plain(kind, value, flags)
        self._folds = bool(flags & re.IGNORECASE)

    def __missing__(self, char: str) -> bool:
        ways = {char, char.lower(), char.upper()} if self._folds else {char}
        answer = self[char] = any(self._test(way) for way in ways if len(way) == 1)
        return answer


def _plain(kind: Any, value: Any, flags: int) -> Test:
    if kind is op.LITERAL:
        return lambda char: ord(char) == value
    if kind is op.NOT_LITERAL:
        return lambda char: ord(char) != value
    if kind is op.ANY:
        return lambda char: bool(flags & re.DOTALL) or char != "\n"
    negated = value[0][0] is op.NEGATE
    tests = [_member(*item, flags) for item in value if item[0] is not op.NEGATE]
    return lambda char: any(test(char) for test in tests) != negated


def _member(kind: Any, value: Any, flags: int) -> Test:
    if kind is op.RANGE:
        return lambda char: value[0] <= ord(char) <= value[1]
    if kind is op.CATEGORY:
        return lambda char: _is_of(value, char, bool(flags & re.UNICODE))
    return _plain(kind, value, flags)


def _is_of(category: Any, char: str, unicode: bool) -> bool:
    name = str(category).lower()
    if not unicode and ord(char) > 127:
        inside = False
    elif name.endswith("digit"):
        inside = unicodedata.category(char) == "Nd"
    elif name.endswith("space"):
        inside = char.isspace()
    else:
        inside = char.isalnum() or char == "_"
    return inside != ("not" in name)


def stands(where: Any, flags: int, text: str, at: int, end: int) -> bool:
    if where is op.AT_BEGINNING:
        return at == 0 or bool(flags & re.MULTILINE and text[at - 1] == "\n")
    if where is op.AT_BEGINNING_STRING:
        return at == 0
    if where is op.AT_END_STRING:
        return at == end
    if where is op.AT_END:
        last = at == end or (at == end - 1 and text[at] == "\n")
        return last or bool(flags & re.MULTILINE and text[at] == "\n")
    unicode = bool(flags & re.UNICODE)
    before = at > 0 and _is_of(op.CATEGORY_WORD, text[at - 1], unicode)
    behind = at < end and _is_of(op.CATEGORY_WORD, text[at], unicode)
    return (before != behind) == (where is op.AT_BOUNDARY)
