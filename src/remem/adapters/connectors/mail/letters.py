"""Messages as far as they are asked for: what names others, and what is text. Pure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from email import message_from_bytes
from email.header import decode_header, make_header
from email.message import Message
from typing import Any

from remem.adapters.connectors.mail.threads import Head, named_in
from remem.adapters.connectors.mail.wire import Answer, Part, parts_of

_FOLDED = re.compile(rb"\r?\n[ \t]+")
# A plain text this short may only say where to find the other one.
STUB_BYTES = 1_000
TITLE_CHARS = 200


@dataclass(frozen=True, slots=True)
class Letter:
    """`texts` are its plain text and its HTML, each with its MIME header; `reason` says why there
    is none."""

    uid: int
    received: datetime | None
    header: bytes = field(repr=False)
    texts: dict[str, bytes] = field(repr=False)
    attached: tuple[Part, ...] = ()
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Attachment:
    """`data` is its MIME header and its content as it is written, after an empty line."""

    part: Part
    data: bytes = field(repr=False)
    received: datetime | None


def text_parts(parts: Sequence[Part]) -> list[Part]:
    """The plain text, else the HTML; both where the plain one may be no more than a hint."""
    plain = next((one for one in parts if one.kind == "text/plain" and not one.is_attached), None)
    html = next((one for one in parts if one.kind == "text/html" and not one.is_attached), None)
    if plain and html and plain.size < min(STUB_BYTES, html.size):
        return [plain, html]
    return [one for one in (plain or html,) if one]


def head_of(answer: Answer) -> Head:
    header = body_of(answer, "BODY[HEADER", "MESSAGE-ID")
    own, named = _names(header)
    thread = answer.get("X-GM-THRID")
    received = received_at(answer.get("INTERNALDATE"))
    return Head(
        uid=number_of(answer, "UID"),
        received_s=int(received.timestamp()) if received else 0,
        own=own,
        named=named,
        thread=thread.decode("ascii", "replace")[:30] if isinstance(thread, bytes) else None,
        attached=tuple(one for one in parts_of(answer.get("BODYSTRUCTURE")) if one.is_attached),
        subject=_subject(message_from_bytes(body_of(answer, "BODY[HEADER", "(SUBJECT)"))),
    )


def _names(header: bytes) -> tuple[int | None, tuple[int, ...]]:
    own: int | None = None
    named: list[int] = []
    for line in _FOLDED.sub(b" ", header).splitlines():
        name, _, value = line.partition(b":")
        found = named_in(value)
        if name.strip().lower() == b"message-id":
            own = own or (found[0] if found else None)
        else:
            named += found
    return own, tuple(dict.fromkeys(named))


def field_of(header: Message, name: str) -> str:
    try:
        return str(make_header(decode_header(str(header.get(name, "")))))
    except Exception:  # The standard parser stumbles over some; also a charset that nobody knows.
        return str(header.get(name, ""))


def subject_of(header: Message) -> str:
    return _subject(header) or "(no subject)"


def _subject(header: Message) -> str:
    return " ".join(field_of(header, "Subject").split())[:TITLE_CHARS]


def number_of(answer: Answer, name: str) -> int:
    value = answer.get(name)
    return int(value) if isinstance(value, bytes) and value.isdigit() and len(value) < 12 else 0


def body_of(answer: Answer, start: str, within: str = "") -> bytes:
    """What stands under a name that begins so, and has that in it."""
    named = (one for name, one in answer.items() if name.startswith(start) and within in name)
    found = next(named, None)
    return found if isinstance(found, bytes) else b""


def received_at(date: Any) -> datetime | None:
    try:
        return datetime.strptime(date.decode("ascii").strip(), "%d-%b-%Y %H:%M:%S %z")
    except (ValueError, AttributeError, OverflowError):
        return None
