"""Parse fetched messages: their headers, and which of their parts are text. Pure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from email import message_from_bytes
from email.header import decode_header, make_header
from email.message import Message
from typing import Any

from remem.adapters.connectors.mail.threads import Head, parse_message_ids
from remem.adapters.connectors.mail.wire import Answer, Part, parse_parts

_FOLDED = re.compile(rb"\r?\n[ \t]+")
# A plain text this short may only point to the HTML version.
STUB_BYTES = 1_000
TITLE_CHARS = 200


@dataclass(frozen=True, slots=True)
class MailMessage:
    """A message. `texts` are its plain text and HTML, each with its MIME header; `reason` says why
    there are none."""

    uid: int
    received: datetime | None
    header: bytes = field(repr=False)
    texts: dict[str, bytes] = field(repr=False)
    attached: tuple[Part, ...] = ()
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Attachment:
    """An attachment. `data` is its MIME header, an empty line and its encoded content."""

    part: Part
    data: bytes = field(repr=False)
    received: datetime | None


def text_parts(parts: Sequence[Part]) -> list[Part]:
    """Return the plain text, else the HTML; both when the plain text may only point to the HTML."""
    plain = next(
        (part for part in parts if part.kind == "text/plain" and not part.is_attached), None
    )
    html = next((part for part in parts if part.kind == "text/html" and not part.is_attached), None)
    if plain and html and plain.size < min(STUB_BYTES, html.size):
        return [plain, html]
    return [part for part in (plain or html,) if part]


def parse_head(answer: Answer) -> Head:
    header = body_field(answer, "BODY[HEADER", "MESSAGE-ID")
    message_id, references = _message_ids(header)
    thread = answer.get("X-GM-THRID")
    received = parse_received_at(answer.get("INTERNALDATE"))
    return Head(
        uid=int_field(answer, "UID"),
        received_s=int(received.timestamp()) if received else 0,
        message_id=message_id,
        references=references,
        thread=thread.decode("ascii", "replace")[:30] if isinstance(thread, bytes) else None,
        attached=tuple(
            part for part in parse_parts(answer.get("BODYSTRUCTURE")) if part.is_attached
        ),
        subject=_subject(message_from_bytes(body_field(answer, "BODY[HEADER", "(SUBJECT)"))),
    )


def _message_ids(header: bytes) -> tuple[int | None, tuple[int, ...]]:
    message_id: int | None = None
    references: list[int] = []
    for line in _FOLDED.sub(b" ", header).splitlines():
        name, _, value = line.partition(b":")
        ids = parse_message_ids(value)
        if name.strip().lower() == b"message-id":
            message_id = message_id or (ids[0] if ids else None)
        else:
            references += ids
    return message_id, tuple(dict.fromkeys(references))


def field_of(header: Message, name: str) -> str:
    try:
        return str(make_header(decode_header(str(header.get(name, "")))))
    except Exception:  # The standard parser fails on some headers and on unknown charsets.
        return str(header.get(name, ""))


def subject_of(header: Message) -> str:
    return _subject(header) or "(no subject)"


def _subject(header: Message) -> str:
    return " ".join(field_of(header, "Subject").split())[:TITLE_CHARS]


def int_field(answer: Answer, name: str) -> int:
    value = answer.get(name)
    return int(value) if isinstance(value, bytes) and value.isdigit() and len(value) < 12 else 0


def body_field(answer: Answer, start: str, within: str = "") -> bytes:
    """Return the field whose name starts with `start` and contains `within`."""
    values = (
        field_value
        for name, field_value in answer.items()
        if name.startswith(start) and within in name
    )
    value = next(values, None)
    return value if isinstance(value, bytes) else b""


def parse_received_at(date: Any) -> datetime | None:
    try:
        return datetime.strptime(date.decode("ascii").strip(), "%d-%b-%Y %H:%M:%S %z")
    except (ValueError, AttributeError, OverflowError):
        return None
