"""Whether a regex node matches one character, or one position between two."""

import re
import unicodedata
from collections.abc import Callable
from functools import cache
from re import _constants as op
from typing import Any

Test = Callable[[str], bool]


def accepts(kind: Any, value: Any, flags: int) -> "Accepts":
    """The shared `Accepts` of all regexes with the same node."""
    return _accepts(kind, tuple(value) if isinstance(value, list) else value, int(flags))


@cache
def _accepts(kind: Any, value: Any, flags: int) -> "Accepts":
    return Accepts(kind, value, flags)


class Accepts(dict[str, bool]):
    """Whether a character matches, computed once per character."""

    def __init__(self, kind: Any, value: Any, flags: int) -> None:
        super().__init__()
        self._test = _node_test(kind, value, flags)
        self._ignores_case = bool(flags & re.IGNORECASE)

    def __missing__(self, char: str) -> bool:
        forms = {char, char.lower(), char.upper()} if self._ignores_case else {char}
        answer = self[char] = any(self._test(form) for form in forms if len(form) == 1)
        return answer


def _node_test(kind: Any, value: Any, flags: int) -> Test:
    if kind is op.LITERAL:
        return lambda char: ord(char) == value
    if kind is op.NOT_LITERAL:
        return lambda char: ord(char) != value
    if kind is op.ANY:
        return lambda char: bool(flags & re.DOTALL) or char != "\n"
    negated = value[0][0] is op.NEGATE
    tests = [_class_member_test(*item, flags) for item in value if item[0] is not op.NEGATE]
    return lambda char: any(test(char) for test in tests) != negated


def _class_member_test(kind: Any, value: Any, flags: int) -> Test:
    if kind is op.RANGE:
        return lambda char: value[0] <= ord(char) <= value[1]
    if kind is op.CATEGORY:
        return lambda char: _is_in_category(value, char, bool(flags & re.UNICODE))
    return _node_test(kind, value, flags)


def _is_in_category(category: Any, char: str, unicode: bool) -> bool:
    name = str(category).lower()
    if not unicode and ord(char) > 127:
        is_member = False
    elif name.endswith("digit"):
        is_member = unicodedata.category(char) == "Nd"
    elif name.endswith("space"):
        is_member = char.isspace()
    else:
        is_member = char.isalnum() or char == "_"
    return is_member != ("not" in name)


def matches_position(where: Any, flags: int, text: str, at: int, end: int) -> bool:
    if where is op.AT_BEGINNING:
        return at == 0 or bool(flags & re.MULTILINE and text[at - 1] == "\n")
    if where is op.AT_BEGINNING_STRING:
        return at == 0
    if where is op.AT_END_STRING:
        return at == end
    if where is op.AT_END:
        at_end = at == end or (at == end - 1 and text[at] == "\n")
        return at_end or bool(flags & re.MULTILINE and text[at] == "\n")
    unicode = bool(flags & re.UNICODE)
    word_before = at > 0 and _is_in_category(op.CATEGORY_WORD, text[at - 1], unicode)
    word_after = at < end and _is_in_category(op.CATEGORY_WORD, text[at], unicode)
    return (word_before != word_after) == (where is op.AT_BOUNDARY)
