"""What a mail server says of messages, as values: the answers to FETCH of RFC 3501. Pure."""

import email.utils
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from email.header import decode_header, make_header
from itertools import takewhile
from typing import Any, TypeAlias

Answer: TypeAlias = dict[str, Any]
# Deeper than any mail program nests; what is below is not looked at.
DEPTH = 50
PARTS = 1_000
_TOKEN = re.compile(
    rb'\s++|(?P<open>\()|(?P<close>\))|"(?P<quoted>(?>(?:[^"\\]|\\.)*))"|(?P<literal>\{\d{1,12}\+?\}\Z)'
    rb'|(?P<atom>(?>(?:[^\s()"\[]|\[[^\]]{0,300}+\])+))',
    re.DOTALL,
)
_ESCAPED = re.compile(rb"\\(.)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a message that has no parts itself, by the number that asks for it."""

    number: str
    kind: str
    size: int
    name: str = ""
    is_attached: bool = False
    is_packed: bool = False


def answers(pieces: Iterable[bytes | tuple[bytes, bytes] | None]) -> list[Answer]:
    """One for each message: what was asked for by its name in capitals, BODY[…] without <…>."""
    found: list[Answer] = []
    group: list[bytes | tuple[bytes, bytes]] = []
    for piece in pieces:
        if piece is None:
            continue
        group.append(piece)
        if isinstance(piece, bytes):
            found.append(_answer(group))
            group = []
    return [one for one in found if one]


def _answer(group: Sequence[bytes | tuple[bytes, bytes]]) -> Answer:
    values = next((one for one in _tree(group) if isinstance(one, list)), [])
    return {
        name.decode("ascii", "replace").upper().partition("<")[0]: value
        for name, value in zip(values[::2], values[1::2], strict=False)
        if isinstance(name, bytes)
    }


def _tree(group: Sequence[bytes | tuple[bytes, bytes]]) -> list[Any]:
    """Lists in lists, down to a depth; without recursion, since a server may nest without end."""
    root: list[Any] = []
    stack, depth = [root], 0
    for kind, value in _tokens(group):
        if kind == "open":
            depth += 1
            if depth <= DEPTH:
                inner: list[Any] = []
                stack[-1].append(inner)
                stack.append(inner)
        elif kind == "close":
            if depth <= DEPTH and len(stack) > 1:
                stack.pop()
            depth = max(depth - 1, 0)
        elif depth <= DEPTH:
            stack[-1].append(value)
    return root


def _tokens(group: Sequence[bytes | tuple[bytes, bytes]]) -> Iterator[tuple[str, bytes | None]]:
    for piece in group:
        text, literal = piece if isinstance(piece, tuple) else (piece, b"")
        for found in _TOKEN.finditer(text):
            if found["literal"] is not None:
                yield "value", literal
            elif found["quoted"] is not None:
                yield "value", _ESCAPED.sub(rb"\1", found["quoted"])
            elif found["atom"] is not None:
                yield "value", None if found["atom"].upper() == b"NIL" else found["atom"]
            elif found.lastgroup:
                yield found.lastgroup, None


def parts_of(structure: Any) -> list[Part]:
    """Those of a BODYSTRUCTURE, in their order."""
    found: list[Part] = []
    waiting: list[tuple[str, Any]] = [("", structure)]
    while waiting and len(found) < PARTS:
        number, body = waiting.pop()
        if not isinstance(body, list) or not body:
            continue
        if isinstance(body[0], list):
            # The parts come first; the word after them is the kind, and lists follow it too.
            inner = [*takewhile(lambda one: isinstance(one, list), body)][:PARTS]
            numbered = [(f"{number}.{at}".lstrip("."), one) for at, one in enumerate(inner, 1)]
            waiting += reversed(numbered)
        else:
            found.append(_part(number or "1", body))
    return found


def _part(number: str, body: list[Any]) -> Part:
    kind = f"{_text(body[0])}/{_text(body[1] if len(body) > 1 else b'')}".lower()
    size = _text(body[6]) if len(body) > 6 else ""
    packing = _text(body[5]).lower() if len(body) > 5 else ""
    disposition = _disposition(body[8:])
    name = _name([*_pairs(disposition[1:2]), *_pairs(body[2:3])])
    is_attached = bool(disposition) and _text(disposition[0]).lower() == "attachment"
    # A message within a message has its parts listed; it is one thing here.
    is_attached = is_attached or kind == "message/rfc822"
    is_attached = is_attached or bool(name and not kind.startswith("image/"))
    return Part(
        number, kind, int(size) if size.isdigit() else 0, name, is_attached, packing == "base64"
    )


def _disposition(rest: list[Any]) -> list[Any]:
    for one in rest:
        is_pair = isinstance(one, list) and len(one) == 2 and isinstance(one[0], bytes)
        if is_pair and one[0].lower() in (b"attachment", b"inline"):
            return one
    return []


def _pairs(lists: list[Any]) -> list[tuple[str, str]]:
    values = lists[0] if lists and isinstance(lists[0], list) else []
    texts = [_text(one) for one in values]
    return [(name.lower(), value) for name, value in zip(texts[::2], texts[1::2], strict=False)]


def _name(pairs: list[tuple[str, str]]) -> str:
    """As people see it: programs write letters beyond ASCII in one of two ways."""
    try:
        known = email.utils.decode_params([("", ""), *pairs[:50]])
        for wanted in ("filename", "name"):
            value = next((value for name, value in known if name == wanted), "")
            if value:
                plain = email.utils.collapse_rfc2231_value(value)
                return email.utils.unquote(str(make_header(decode_header(plain))))
    except Exception:  # The standard parser stumbles over some names in ways of its own.
        return next((value for name, value in pairs if "name" in name), "")
    return ""


def _text(value: Any) -> str:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else ""
