"""Parse a mail server's answers to FETCH (RFC 3501). Pure."""

import email.utils
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from email.header import decode_header, make_header
from itertools import takewhile
from typing import Any, TypeAlias

Answer: TypeAlias = dict[str, Any]
# Deeper than any mail program nests; anything below is ignored.
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
    """A part of a message without parts of its own; `number` is its section number in FETCH."""

    number: str
    kind: str
    size: int
    name: str = ""
    is_attached: bool = False
    is_base64: bool = False


def parse_answers(pieces: Iterable[bytes | tuple[bytes, bytes] | None]) -> list[Answer]:
    """Return an answer per message: values by data item in capitals, BODY[…] without <…>."""
    parsed: list[Answer] = []
    group: list[bytes | tuple[bytes, bytes]] = []
    for piece in pieces:
        if piece is None:
            continue
        group.append(piece)
        if isinstance(piece, bytes):
            parsed.append(_parse_answer(group))
            group = []
    return [answer for answer in parsed if answer]


def _parse_answer(group: Sequence[bytes | tuple[bytes, bytes]]) -> Answer:
    values = next((item for item in _parse_lists(group) if isinstance(item, list)), [])
    return {
        name.decode("ascii", "replace").upper().partition("<")[0]: value
        for name, value in zip(values[::2], values[1::2], strict=False)
        if isinstance(name, bytes)
    }


def _parse_lists(group: Sequence[bytes | tuple[bytes, bytes]]) -> list[Any]:
    """Parse nested lists down to DEPTH, without recursion, because a server may nest endlessly."""
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
        for match in _TOKEN.finditer(text):
            if match["literal"] is not None:
                yield "value", literal
            elif match["quoted"] is not None:
                yield "value", _ESCAPED.sub(rb"\1", match["quoted"])
            elif match["atom"] is not None:
                yield "value", None if match["atom"].upper() == b"NIL" else match["atom"]
            elif match.lastgroup:
                yield match.lastgroup, None


def parse_parts(structure: Any) -> list[Part]:
    """Return the parts of a BODYSTRUCTURE in order."""
    parts: list[Part] = []
    pending: list[tuple[str, Any]] = [("", structure)]
    while pending and len(parts) < PARTS:
        number, body = pending.pop()
        if not isinstance(body, list) or not body:
            continue
        if isinstance(body[0], list):
            # The parts come first, then the subtype, and then other lists.
            children = [*takewhile(lambda child: isinstance(child, list), body)][:PARTS]
            numbered = [
                (f"{number}.{position}".lstrip("."), child)
                for position, child in enumerate(children, 1)
            ]
            pending += reversed(numbered)
        else:
            parts.append(_parse_part(number or "1", body))
    return parts


def _parse_part(number: str, body: list[Any]) -> Part:
    kind = f"{_decode(body[0])}/{_decode(body[1] if len(body) > 1 else b'')}".lower()
    size = _decode(body[6]) if len(body) > 6 else ""
    encoding = _decode(body[5]).lower() if len(body) > 5 else ""
    disposition = _disposition(body[8:])
    name = _name([*_pairs(disposition[1:2]), *_pairs(body[2:3])])
    is_attached = bool(disposition) and _decode(disposition[0]).lower() == "attachment"
    # A nested message lists its parts, but counts as one attachment here.
    is_attached = is_attached or kind == "message/rfc822"
    is_attached = is_attached or bool(name and not kind.startswith("image/"))
    return Part(
        number, kind, int(size) if size.isdigit() else 0, name, is_attached, encoding == "base64"
    )


def _disposition(extensions: list[Any]) -> list[Any]:
    for value in extensions:
        is_pair = isinstance(value, list) and len(value) == 2 and isinstance(value[0], bytes)
        if is_pair and value[0].lower() in (b"attachment", b"inline"):
            return value
    return []


def _pairs(lists: list[Any]) -> list[tuple[str, str]]:
    values = lists[0] if lists and isinstance(lists[0], list) else []
    texts = [_decode(token) for token in values]
    return [(name.lower(), value) for name, value in zip(texts[::2], texts[1::2], strict=False)]


def _name(pairs: list[tuple[str, str]]) -> str:
    """Decode a file name; programs encode non-ASCII letters in one of two ways."""
    try:
        decoded = email.utils.decode_params([("", ""), *pairs[:50]])
        for wanted in ("filename", "name"):
            value = next((value for name, value in decoded if name == wanted), "")
            if value:
                encoded = email.utils.collapse_rfc2231_value(value)
                return email.utils.unquote(str(make_header(decode_header(encoded))))
    except Exception:  # The standard parser fails on some names with unexpected errors.
        return next((value for name, value in pairs if "name" in name), "")
    return ""


def _decode(value: Any) -> str:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else ""
