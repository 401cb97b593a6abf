"""Convert the messages of a conversation to turns of a talk. Blocking: decodes texts and HTML."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email import message_from_bytes
from email.message import Message
from email.utils import getaddresses, parsedate_to_datetime
from typing import TYPE_CHECKING

from remem.adapters.connectors.mail.messages import MailMessage, field_of, subject_of
from remem.adapters.extractors.charset import decode
from remem.adapters.extractors.html import whole_content
from remem.core.errors import Unreadable
from remem.core.items import ItemTurn

if TYPE_CHECKING:
    from remem.adapters.connectors.mail.wire import Part

# Limit per conversation, as for any other talk.
TALK_CHARS = 5_000_000
HTML_CHARS = 300_000
# A plain text this much shorter than the HTML only points to it.
STUB_SHARE = 0.4
NAMES_SHOWN = 10
ADDRESS_CHARS = 1_000
NAME_CHARS = 100
# How far a sender's clock may be ahead.
AHEAD = timedelta(days=1)
NO_TEXT = "it has no text that can be read"


@dataclass(frozen=True, slots=True)
class Talk:
    """A conversation as turns. `reasons` say why messages could not be read."""

    title: str
    turns: tuple[ItemTurn, ...]
    reasons: tuple[str, ...]
    people: tuple[str, ...]


def build_talk(messages: Iterable[MailMessage]) -> Talk:
    """Build a talk from messages in the order they were sent. A message in two folders appears
    once."""
    parsed = sorted(map(_ParsedMessage, messages), key=lambda message: message.at or _LONG_AGO)
    turns, conversation = list[ItemTurn](), Conversation()
    seen, reasons, chars_left = set[tuple[str, str]](), list[str](), TALK_CHARS
    for message in parsed:
        text, reason = message.text()
        if reason and not message.attached:
            reasons.append(reason)
            text = f"(This message is not read: {reason}.)"
        elif text and (message.id, text) in seen:
            continue
        seen.add((message.id, text))
        turn_text = message.with_people_and_attachments(
            conversation.own_text(text), is_first=not turns
        )[:chars_left]
        chars_left -= len(turn_text)
        if turn_text:
            turns.append(ItemTurn(message.sender, turn_text, message.at))
    return Talk(
        title=parsed[0].subject if parsed else "",
        turns=tuple(turns) if len(reasons) < len(parsed) else (),
        reasons=tuple(reasons),
        people=tuple(dict.fromkeys(message.sender for message in parsed))[:50],
    )


_LONG_AGO = datetime(1, 1, 2, tzinfo=UTC)


class _ParsedMessage:
    """A message with its parsed header."""

    def __init__(self, message: MailMessage) -> None:
        self._message = message
        self.attached = message.attached
        header = message_from_bytes(message.header)
        self.id = str(header.get("Message-ID", ""))[:500]
        self.subject = subject_of(header)
        self.sender = _sender_name(field_of(header, "From"))
        self.at = _sent_at(str(header.get("Date", "")), message.received)
        people = _names(field_of(header, "To"))
        others = " and others" if len(people) > NAMES_SHOWN else ""
        self._to = ", ".join(people[:NAMES_SHOWN]) + others

    def text(self) -> tuple[str, str]:
        """Return the text, and the reason if there is none."""
        if self._message.reason:
            return "", self._message.reason
        texts = {kind: _decode_text(data) for kind, data in self._message.texts.items()}
        plain, markup = texts.get("text/plain", ""), texts.get("text/html", "")
        if markup:
            plain = _fuller_text(plain, markup)
        return plain, "" if plain.strip() else NO_TEXT

    def with_people_and_attachments(self, text: str, *, is_first: bool) -> str:
        """Add the recipients, for the first turn of a talk, and the names of attachments."""
        to = f"To: {self._to}" if is_first and self._to else ""
        names = [safe_name(part) for part in self.attached[:NAMES_SHOWN]]
        attached = f"Attachments: {', '.join(names)}" if names else ""
        content = text or attached
        return "\n\n".join(block for block in (to, text, attached) if block) if content else ""


def safe_name(part: "Part") -> str:
    """Return a safe file name for an attachment, without folders or special characters."""
    printable = "".join(char if char.isprintable() else " " for char in part.name)
    base = printable.replace("\\", "/").rpartition("/")[2].replace(":", " ")
    name = " ".join(base.split()).strip(". ")
    stem, dot, suffix = name.rpartition(".")
    if dot and stem and len(suffix) <= 10:
        name = f"{stem[:NAME_CHARS]}.{suffix}"
    if name:
        return name[: NAME_CHARS + 11]
    return "forwarded message.eml" if part.kind == "message/rfc822" else "attachment"


def decode_content(data: bytes) -> bytes:
    """Decode the content of a part (base64, quoted-printable) by its MIME header."""
    head, _, body = data.partition(b"\r\n\r\n")
    header = message_from_bytes(head)
    part = Message()
    part["Content-Transfer-Encoding"] = str(header.get("Content-Transfer-Encoding", "8bit"))
    part.set_payload(body.decode("ascii", "surrogateescape"))
    content = part.get_payload(decode=True)
    return content if isinstance(content, bytes) else body


def _decode_text(data: bytes) -> str:
    header = message_from_bytes(data.partition(b"\r\n\r\n")[0])
    try:
        charset = header.get_content_charset()
    except Exception:  # The standard parser fails on some headers with unexpected errors.
        charset = None
    return decode(decode_content(data), charset)


def _fuller_text(plain: str, markup: str) -> str:
    try:
        from_html = whole_content(markup[:HTML_CHARS])
    except (Unreadable, RecursionError):
        return plain
    return plain if len(plain.strip()) > STUB_SHARE * len(from_html) else from_html


def _sender_name(value: str) -> str:
    names = _names(value[:ADDRESS_CHARS])
    return names[0] if names else " ".join(value.split())[:NAME_CHARS] or "unknown"


def _names(value: str) -> list[str]:
    """Return the name of each person, or the address if there is no name."""
    try:
        pairs = getaddresses([value])
    except (RecursionError, ValueError, IndexError, TypeError):
        return []
    names = (" ".join((name or address).split())[:NAME_CHARS] for name, address in pairs)
    return [name for name in names if name]


def _sent_at(date: str, received: datetime | None) -> datetime | None:
    """Return when a message was sent by its own date, unless that is implausible."""
    try:
        sent = parsedate_to_datetime(date)
        sent = sent if sent.tzinfo else sent.replace(tzinfo=UTC)
        if received is None:
            return sent.astimezone(UTC)
        return min(sent, received + AHEAD).astimezone(UTC) if sent.year > 1970 else received
    except (TypeError, ValueError, OverflowError, IndexError):
        return received


# Reduce a message to its own text, without quotes and repeated earlier messages. Pure.


# Most lines of a signature, which mail programs introduce with two dashes and a space.
SIGNATURE_LINES = 20
# Shorter repetitions are not treated as a quote.
REPEATED_LINES, REPEATED_CHARS = 2, 20
# Most lines of the sentence that introduces a quote; mail programs may wrap it.
INTRODUCTION_LINES = 3
_RULE = re.compile(r"[\s>|]*[-_=*]{5,}[^a-z]{0,80}[-_=*]*\s*|[\s>|]*[-_=*]{3,}.{1,60}[-_=*]{3,}\s*")
_FIELD = re.compile(r"[\s>|*]*+[^\W\d_][^:\n]{0,30}:[*_]*+\s.*")


class Conversation:
    """Takes messages one after the other, and remembers the lines of each."""

    def __init__(self) -> None:
        self._known: set[int] = set()

    def own_text(self, text: str) -> str:
        lines = text.replace("\r\n", "\n").replace("\r", "\n").rstrip().split("\n")
        earlier, self._known = (
            self._known,
            self._known | {hash(_normalize_line(line)) for line in lines},
        )
        own_lines = without_signature(_without_repeats(without_quotes(lines), earlier))
        return "\n".join(own_lines).strip()


def _normalize_line(line: str) -> str:
    """Normalize a line, so that a quoted, wrapped or indented copy equals the original."""
    return " ".join(line.lstrip("> \t|").split())


def _without_repeats(lines: list[str], known: set[int]) -> list[str]:
    """Remove quoted lines of earlier messages, and trailing lines that repeat earlier messages:
    programs that quote without a marker put the quote at the end."""
    remaining = [
        line
        for line in lines
        if not (line.startswith(">") and hash(_normalize_line(line)) in known)
    ]
    end, repeated, chars = len(remaining), 0, 0
    while end and (
        not _normalize_line(remaining[end - 1])
        or hash(_normalize_line(remaining[end - 1])) in known
    ):
        words = _normalize_line(remaining[end - 1])
        repeated, chars = repeated + bool(words), chars + len(words)
        end -= 1
    if repeated < REPEATED_LINES or chars < REPEATED_CHARS:
        return remaining or lines
    return _without_introduction(remaining, end) or remaining


def _without_introduction(lines: Sequence[str], end: int) -> list[str]:
    """Return the lines up to `end`, without those that introduce a quote: a block of fields, a
    rule, or a sentence that ends with a colon."""
    while end and not lines[end - 1].strip():
        end -= 1
    last = end
    while end and (_FIELD.fullmatch(lines[end - 1]) or _RULE.fullmatch(lines[end - 1])):
        end -= 1
    is_block = last - end > 1 or (last > end and bool(_RULE.fullmatch(lines[end])))
    return list(lines[: end if is_block else _sentence_start(lines, last)])


def _sentence_start(lines: Sequence[str], end: int) -> int:
    """Find the start of a sentence that says who wrote the quote; `end` if there is none."""
    if not end or not lines[end - 1].rstrip().endswith((":", "：")):
        return end
    start = end - 1
    while start and lines[start - 1].strip() and end - start < INTRODUCTION_LINES:
        start -= 1
    sentence = " ".join(lines[start:end])
    is_paragraph_start = not start or not lines[start - 1].strip()
    has_date_or_address = "@" in sentence or any(char.isdigit() for char in sentence)
    return start if is_paragraph_start and has_date_or_address else end - 1


def without_quotes(lines: Sequence[str]) -> list[str]:
    """Remove the quoted message at the end and its introduction."""
    end = len(lines)
    while end and (lines[end - 1].startswith(">") or not lines[end - 1].strip()):
        end -= 1
    is_quoted = any(line.startswith(">") for line in lines[end:])
    return (_without_introduction(lines, end) if is_quoted else []) or list(lines)


def without_signature(lines: Sequence[str]) -> list[str]:
    for index in range(max(len(lines) - SIGNATURE_LINES - 1, 1), len(lines)):
        if lines[index].rstrip("\n") in ("-- ", "--"):
            return list(lines[:index])
    return list(lines)
