"""JSON as people write it, with comments and trailing commas: read it, change one place of it."""

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
    """It cannot be read; says what is wrong, and where."""


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
    # Behind the comma that follows it, if one does.
    comma: int | None = None


def loads(text: str) -> Any:
    return _parse(text).value


def comments(text: str) -> list[str]:
    return [found for found in _COMMENT.findall(text) if found]


def put(text: str, path: Sequence[str], value: Any) -> str:
    """The same text with `value` at `path`; everything else is unchanged."""
    text = text if text.strip("\ufeff \t\r\n") else "{}\n"
    node, place = _parse(text), list(path)
    while place:
        member = _member(node, place[0])
        if member is None:
            return _insert(text, node, place[0], _nested(place[1:], value))
        node = member.node
        place.pop(0)
    written = _written(value, _indent_at(text, node.start), _unit(text))
    return text[: node.start] + written + text[node.end :]


def take(text: str, path: Sequence[str]) -> str:
    """The same text without the value at `path`."""
    node = _parse(text)
    for key in path[:-1]:
        member = _member(node, key)
        if member is None:
            return text
        node = member.node
    member = _member(node, path[-1])
    return text if member is None else _remove(text, node, member)


def _nested(place: Sequence[str], value: Any) -> Any:
    for key in reversed(place):
        value = {key: value}
    return value


def _member(node: Node, key: str) -> Member | None:
    if not isinstance(node.value, dict):
        raise NotJson("what should be a list of servers is something else")
    return next((one for one in node.members if one.key == key), None)


def _insert(text: str, node: Node, key: str, value: Any) -> str:
    unit, outer = _unit(text), _indent_at(text, node.start)
    inner = _indent_at(text, node.members[0].start) if node.members else outer + unit
    if inner == outer and node.members:
        inner = outer + unit
    line = f"\n{inner}{json.dumps(key)}: {_written(value, inner, unit)}"
    if not node.members:
        inside = text[node.start + 1 : node.end - 1].rstrip()
        return text[: node.start + 1] + inside + f"{line}\n{outer}" + text[node.end - 1 :]
    last = node.members[-1]
    after = last.comma or last.node.end
    note = _SAME_LINE.match(text, after)
    end = note.end() if note else after
    comma = "" if last.comma else ","
    tail = text[end:]
    # A brace on the same line goes to a line of its own.
    if not tail[: len(tail) - len(tail.lstrip())].count("\n"):
        tail = f"\n{outer}{tail.lstrip()}"
    return text[: last.node.end] + comma + text[last.node.end : end] + line + tail


def _remove(text: str, node: Node, member: Member) -> str:
    start, end = member.start, member.comma or member.node.end
    place = node.members.index(member)
    is_last = place == len(node.members) - 1
    rest = text[end:]
    head = text[:start]
    if is_last and place and member.comma is None:
        # What is last now needs no comma behind it.
        comma = node.members[place - 1].comma
        assert comma is not None
        head = text[: comma - 1] + text[comma:start]
    blank = head.rstrip(" \t")
    line = re.match(r"[ \t]*\r?\n", rest)
    if blank.endswith("\n") and line:
        return blank + rest[line.end() :]
    return head.rstrip() + rest.lstrip(" \t") if is_last else head + rest.lstrip(" \t")


def _written(value: Any, indent: str, unit: str) -> str:
    step = unit if unit != "\t" else "\t"
    return json.dumps(value, indent=step, ensure_ascii=False).replace("\n", f"\n{indent}")


def _indent_at(text: str, place: int) -> str:
    line = text[text.rfind("\n", 0, place) + 1 : place]
    return line[: len(line) - len(line.lstrip())]


def _unit(text: str) -> str:
    found = re.search(r"^([ \t]+)\S", text, re.M)
    return ("\t" if found[1].startswith("\t") else found[1][:8]) if found else "  "


def _parse(text: str) -> Node:
    reader = _Reader(text)
    node = reader.value(0)
    reader.skip()
    if reader.at < len(text):
        raise reader.wrong("more than one value")
    return node


class _Reader:
    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0

    def wrong(self, what: str) -> NotJson:
        return NotJson(f"line {self.text.count(chr(10), 0, self.at) + 1}: {what}")

    def skip(self) -> None:
        found = _SPACE.match(self.text, self.at)
        self.at = found.end() if found else self.at

    def peek(self) -> str:
        self.skip()
        return self.text[self.at : self.at + 1]

    def value(self, depth: int) -> Node:
        if depth > DEPTH_LIMIT:
            raise self.wrong("nested too deep")
        first = self.peek()
        if first == "{":
            return self._object(depth)
        return self._list(depth) if first == "[" else self._scalar()

    def _scalar(self) -> Node:
        found = _SCALAR.match(self.text, self.at)
        if found is None:
            raise self.wrong("a value is missing")
        try:
            value = json.loads(found[0], strict=False)
        except ValueError:
            raise self.wrong(f"{found[0][:20]!r} is no value") from None
        start, self.at = self.at, found.end()
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
            raise self.wrong("a name and a colon are missing")
        self.at += 1
        member = Member(key.value, start, self.value(depth + 1))
        if self.peek() == ",":
            self.at += 1
            member.comma = self.at
        elif self.peek() != "}":
            raise self.wrong("a comma is missing")
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
                raise self.wrong("a comma is missing")
        self.at += 1
        node.end = self.at
        return node
