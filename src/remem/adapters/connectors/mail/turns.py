"""Messages of a conversation as turns of a talk. Blocking: texts are decoded and laid out."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email import message_from_bytes
from email.message import Message
from email.utils import getaddresses, parsedate_to_datetime
from typing import TYPE_CHECKING

from remem.adapters.connectors.mail.letters import Letter, field_of, subject_of
from remem.adapters.connectors.mail.text import Conversation
from remem.adapters.extractors.charset import decode
from remem.adapters.extractors.html import whole_content
from remem.core.errors import Unreadable
from remem.core.items import Said

if TYPE_CHECKING:
    from remem.adapters.connectors.mail.wire import Part

# Of one conversation, as of any other talk.
TALK_CHARS = 5_000_000
HTML_CHARS = 300_000
# A plain text this much shorter than the other only says where to find it.
STUB_SHARE = 0.4
NAMES_SHOWN = 10
ADDRESS_CHARS = 1_000
NAME_CHARS = 100
# A sender's clock may be ahead by as much.
AHEAD = timedelta(days=1)
NO_TEXT = "it has no text that can be read"


@dataclass(frozen=True, slots=True)
class Talk:
    """`reasons` are those of messages that could not be read."""

    title: str
    turns: tuple[Said, ...]
    reasons: tuple[str, ...]
    people: tuple[str, ...]


def talk_of(letters: Iterable[Letter]) -> Talk:
    """By when they were sent; a message that lies in two folders is said once."""
    read = sorted(map(_Read, letters), key=lambda one: one.at or _LONG_AGO)
    said, conversation = list[Said](), Conversation()
    seen, reasons, left = set[tuple[str, str]](), list[str](), TALK_CHARS
    for one in read:
        text, reason = one.text()
        if reason and not one.attached:
            reasons.append(reason)
            text = f"(This message is not read: {reason}.)"
        elif text and (one.id, text) in seen:
            continue
        seen.add((one.id, text))
        words = one.with_names(conversation.take(text), is_first=not said)[:left]
        left -= len(words)
        if words:
            said.append(Said(one.sender, words, one.at))
    return Talk(
        title=read[0].subject if read else "",
        turns=tuple(said) if len(reasons) < len(read) else (),
        reasons=tuple(reasons),
        people=tuple(dict.fromkeys(one.sender for one in read))[:50],
    )


_LONG_AGO = datetime(1, 1, 2, tzinfo=UTC)


class _Read:
    """A message whose header is understood as far as it can be."""

    def __init__(self, letter: Letter) -> None:
        self._letter = letter
        self.attached = letter.attached
        header = message_from_bytes(letter.header)
        self.id = str(header.get("Message-ID", ""))[:500]
        self.subject = subject_of(header)
        self.sender = _person(field_of(header, "From"))
        self.at = _moment(str(header.get("Date", "")), letter.received)
        people = _people(field_of(header, "To"))
        others = " and others" if len(people) > NAMES_SHOWN else ""
        self._to = ", ".join(people[:NAMES_SHOWN]) + others

    def text(self) -> tuple[str, str]:
        """What it says, or the reason why that is not known."""
        if self._letter.reason:
            return "", self._letter.reason
        found = {kind: _decoded(data) for kind, data in self._letter.texts.items()}
        plain, markup = found.get("text/plain", ""), found.get("text/html", "")
        if markup:
            plain = _fuller(plain, markup)
        return plain, "" if plain.strip() else NO_TEXT

    def with_names(self, text: str, *, is_first: bool) -> str:
        """With whom it is for, said once in a talk, and what is attached."""
        to = f"To: {self._to}" if is_first and self._to else ""
        names = [safe_name(part) for part in self.attached[:NAMES_SHOWN]]
        attached = f"Attachments: {', '.join(names)}" if names else ""
        said = text or attached
        return "\n\n".join(one for one in (to, text, attached) if one) if said else ""


def safe_name(part: "Part") -> str:
    """A name for a file, and for nothing else: no folder, no sign that a system reads."""
    plain = "".join(char if char.isprintable() else " " for char in part.name)
    last = plain.replace("\\", "/").rpartition("/")[2].replace(":", " ")
    name = " ".join(last.split()).strip(". ")
    stem, dot, suffix = name.rpartition(".")
    if dot and stem and len(suffix) <= 10:
        name = f"{stem[:NAME_CHARS]}.{suffix}"
    if name:
        return name[: NAME_CHARS + 11]
    return "forwarded message.eml" if part.kind == "message/rfc822" else "attachment"


def content_of(data: bytes) -> bytes:
    """Of a part with its MIME header, as it was before it was packed for the way."""
    head, _, body = data.partition(b"\r\n\r\n")
    header = message_from_bytes(head)
    part = Message()
    part["Content-Transfer-Encoding"] = str(header.get("Content-Transfer-Encoding", "8bit"))
    part.set_payload(body.decode("ascii", "surrogateescape"))
    found = part.get_payload(decode=True)
    return found if isinstance(found, bytes) else body


def _decoded(data: bytes) -> str:
    header = message_from_bytes(data.partition(b"\r\n\r\n")[0])
    try:
        charset = header.get_content_charset()
    except Exception:  # The standard parser stumbles over some headers in ways of its own.
        charset = None
    return decode(content_of(data), charset)


def _fuller(plain: str, markup: str) -> str:
    try:
        written = whole_content(markup[:HTML_CHARS])
    except (Unreadable, RecursionError):
        return plain
    return plain if len(plain.strip()) > STUB_SHARE * len(written) else written


def _person(value: str) -> str:
    found = _people(value[:ADDRESS_CHARS])
    return found[0] if found else " ".join(value.split())[:NAME_CHARS] or "unknown"


def _people(value: str) -> list[str]:
    """The name of each, or the address where there is none."""
    try:
        pairs = getaddresses([value])
    except (RecursionError, ValueError, IndexError, TypeError):
        return []
    names = (" ".join((name or address).split())[:NAME_CHARS] for name, address in pairs)
    return [name for name in names if name]


def _moment(date: str, received: datetime | None) -> datetime | None:
    """When it says that it was sent, unless that cannot be."""
    try:
        sent = parsedate_to_datetime(date)
        sent = sent if sent.tzinfo else sent.replace(tzinfo=UTC)
        if received is None:
            return sent.astimezone(UTC)
        return min(sent, received + AHEAD).astimezone(UTC) if sent.year > 1970 else received
    except (TypeError, ValueError, OverflowError, IndexError):
        return received
