"""Edit JSON with comments and trailing commas, changing a single value."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

_SPACE = re.compile(r"(?:[ \t\r\n\ufeff]|//[^\n]*|/\*.*?\*/)*", re.S)
_COMMENT = re.compile(r'"(?>(?:[^"\\\n]|\\.)*)"?|(//[^\n]*|/\*.*?(?:\*/|\Z))', re.S)
_SAME_LINE = re.compile(r"[ \t]*(?://[^\n]*|/\*[^\n]*?\*/)?")
_SCALAR = re.compile(r'"(?:[^"\\\n]|\\.)*"|[^\s,\]}/]+')
DEPTH_LIMIT = 200


class NotJson(Exception):
    """The text cannot be parsed; the message says what is wrong and where."""


@dataclass(slots=True)
class Node:
    """A value and its position: `text[start:end]`."""

    start: int
    end: int
    value: Any
    members: "list[Member]" = field(default_factory=list)


@dataclass(slots=True)
class Member:
    key: str
    start: int
    node: Node
    # The offset after the comma that follows it, if any.
    comma: int | None = None


def loads(text: str) -> Any:
    return _parse(text).value


def comments(text: str) -> list[str]:
    return [comment for comment in _COMMENT.findall(text) if comment]


def put(text: str, path: Sequence[str], value: Any) -> str:
    """Return the text with `value` at `path`; everything else is unchanged."""
    text = text if text.strip("\ufeff \t\r\n") else "{}\n"
    node, remaining = _parse(text), list(path)
    while remaining:
        member = _member(node, remaining[0])
        if member is None:
            return _insert(text, node, remaining[0], _nested(remaining[1:], value))
        node = member.node
        remaining.pop(0)
    rendered = _render(value, _indent_at(text, node.start), _indent_unit(text))
    return text[: node.start] + rendered + text[node.end :]


def remove(text: str, path: Sequence[str]) -> str:
    """Return the text without the value at `path`."""
    node = _parse(text)
    for key in path[:-1]:
        member = _member(node, key)
        if member is None:
            return text
        node = member.node
    member = _member(node, path[-1])
    return text if member is None else _remove(text, node, member)


def _nested(keys: Sequence[str], value: Any) -> Any:
    for key in reversed(keys):
        value = {key: value}
    return value


def _member(node: Node, key: str) -> Member | None:
    if not isinstance(node.value, dict):
        raise NotJson("the list of servers has another type")
    return next((member for member in node.members if member.key == key), None)


def _insert(text: str, node: Node, key: str, value: Any) -> str:
    unit, outer = _indent_unit(text), _indent_at(text, node.start)
    inner = _indent_at(text, node.members[0].start) if node.members else outer + unit
    if inner == outer and node.members:
        inner = outer + unit
    line = f"\n{inner}{json.dumps(key)}: {_render(value, inner, unit)}"
    if not node.members:
        inside = text[node.start + 1 : node.end - 1].rstrip()
        return text[: node.start + 1] + inside + f"{line}\n{outer}" + text[node.end - 1 :]
    last = node.members[-1]
    after = last.comma or last.node.end
    comment = _SAME_LINE.match(text, after)
    end = comment.end() if comment else after
    comma = "" if last.comma else ","
    tail = text[end:]
    # Move a closing brace on the same line to a line of its own.
    if not tail[: len(tail) - len(tail.lstrip())].count("\n"):
        tail = f"\n{outer}{tail.lstrip()}"
    return text[: last.node.end] + comma + text[last.node.end : end] + line + tail


def _remove(text: str, node: Node, member: Member) -> str:
    start, end = member.start, member.comma or member.node.end
    index = node.members.index(member)
    is_last = index == len(node.members) - 1
    tail = text[end:]
    head = text[:start]
    if is_last and index and member.comma is None:
        # The new last member needs no trailing comma.
        comma = node.members[index - 1].comma
        assert comma is not None
        head = text[: comma - 1] + text[comma:start]
    blank = head.rstrip(" \t")
    line = re.match(r"[ \t]*\r?\n", tail)
    if blank.endswith("\n") and line:
        return blank + tail[line.end() :]
    return head.rstrip() + tail.lstrip(" \t") if is_last else head + tail.lstrip(" \t")


def _render(value: Any, indent: str, unit: str) -> str:
    step = unit if unit != "\t" else "\t"
    return json.dumps(value, indent=step, ensure_ascii=False).replace("\n", f"\n{indent}")


def _indent_at(text: str, offset: int) -> str:
    line = text[text.rfind("\n", 0, offset) + 1 : offset]
    return line[: len(line) - len(line.lstrip())]


def _indent_unit(text: str) -> str:
    match = re.search(r"^([ \t]+)\S", text, re.M)
    return ("\t" if match[1].startswith("\t") else match[1][:8]) if match else "  "


def _parse(text: str) -> Node:
    reader = _Reader(text)
    node = reader.value(0)
    reader.skip()
    if reader.at < len(text):
        raise reader.error("more than one value")
    return node


class _Reader:
    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0

    def error(self, what: str) -> NotJson:
        return NotJson(f"line {self.text.count(chr(10), 0, self.at) + 1}: {what}")

    def skip(self) -> None:
        match = _SPACE.match(self.text, self.at)
        self.at = match.end() if match else self.at

    def peek(self) -> str:
        self.skip()
        return self.text[self.at : self.at + 1]

    def value(self, depth: int) -> Node:
        if depth > DEPTH_LIMIT:
            raise self.error("nested too deeply")
        first = self.peek()
        if first == "{":
            return self._object(depth)
        return self._list(depth) if first == "[" else self._scalar()

    def _scalar(self) -> Node:
        match = _SCALAR.match(self.text, self.at)
        if match is None:
            raise self.error("a value is missing")
        try:
            value = json.loads(match[0], strict=False)
        except ValueError:
            raise self.error(f"{match[0][:20]!r} is not a value") from None
        start, self.at = self.at, match.end()
        return Node(start, self.at, value)

    def _object(self, depth: int) -> Node:
        node = Node(self.at, 0, {})
        self.at += 1
        while self.peek() != "}":
            self._member(node, depth)
        self.at += 1
        node.end = self.at
        return node

    def _member(self, node: Node, depth: int) -> None:
        start = self.at
        key = self._scalar()
        if not isinstance(key.value, str) or self.peek() != ":":
            raise self.error("a name and a colon are missing")
        self.at += 1
        member = Member(key.value, start, self.value(depth + 1))
        if self.peek() == ",":
            self.at += 1
            member.comma = self.at
        elif self.peek() != "}":
            raise self.error("a comma is missing")
        node.members.append(member)
        node.value[member.key] = member.node.value

    def _list(self, depth: int) -> Node:
        node = Node(self.at, 0, [])
        self.at += 1
        while self.peek() != "]":
            node.value.append(self.value(depth + 1).value)
            if self.peek() == ",":
                self.at += 1
            elif self.peek() != "]":
                raise self.error("a comma is missing")
        self.at += 1
        node.end = self.at
        return node
