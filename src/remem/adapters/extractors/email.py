"""E-mail: subject, people, date and body of a message, or of all messages in a mailbox."""

import re
from collections.abc import Iterator
from email import message_from_bytes, policy
from email.errors import HeaderParseError
from email.header import decode_header, make_header
from email.message import EmailMessage
from email.utils import getaddresses
from pathlib import Path
from typing import Any

from remem.adapters.extractors.charset import decode
from remem.adapters.extractors.dates import iso_date
from remem.adapters.extractors.draft import Draft, truncation_note
from remem.adapters.extractors.engines import Engines
from remem.adapters.extractors.html import whole_content
from remem.adapters.extractors.limits import MESSAGE_BYTES, MESSAGES, read_bytes
from remem.adapters.extractors.quoted import UNNAMED, parts_of
from remem.core.chunking.model import Joint
from remem.core.errors import Unreadable
from remem.core.extraction_ports import Extracted, Original

MAILBOX_LINE = re.compile(rb"From \S++.*\d{4}\s*$")
PEOPLE_HEADERS = ("From", "To", "Cc")
SHOWN_HEADERS = (*PEOPLE_HEADERS, "Date")
# Quotation marks, but not the apostrophe of a name.
QUOTES = re.compile(r"[\"“”„«»]|(?<!\w)['‘’]|['‘’](?!\w)")
# A plain part this much shorter than the HTML only points to it.
STUB_SHARE = 0.4
# More than forwarded mail ever has; the parser is recursive.
PART_LIMIT = 1_000


def extract(original: Original, engines: Engines) -> Extracted:
    with original.path.open("rb") as file:
        is_mailbox = bool(MAILBOX_LINE.match(file.readline(1_000)))
    return _extract_mailbox(original.path) if is_mailbox else _extract_message(original.path)


def _extract_message(path: Path) -> Extracted:
    message = _parse(read_bytes(path, MESSAGE_BYTES))
    draft = Draft()
    _write(draft, message, "#")
    return draft.finish("email", _metadata(message))


def _extract_mailbox(path: Path) -> Extracted:
    draft, count, cut = Draft(), 0, None
    first: EmailMessage | None = None
    for data in _messages(path):
        if count == MESSAGES or draft.is_full:
            cut = truncation_note(count, "messages")
            break
        message = _parse(data)
        first = first or message
        draft.mark(Joint.TURN, _sender(message))
        _write(draft, message, "##")
        count += 1
    if first is None:
        raise Unreadable("There is no message in the mailbox; export it again.")
    metadata = _metadata(first) if count == 1 else {"message_count": count}
    return draft.finish("email", metadata, cut)


def _messages(path: Path) -> Iterator[bytes]:
    """Yield the bytes of each message in an mbox, with quoted 'From ' lines unquoted."""
    pending: list[bytes] = []
    size = 0
    with path.open("rb") as file:
        for line in file:
            if line.startswith(b"From ") and MAILBOX_LINE.match(line):
                if pending:
                    yield b"".join(pending)
                pending, size = [], 0
            elif size < MESSAGE_BYTES:
                pending.append(line[1:] if re.match(rb">+From ", line) else line)
                size += len(line)
    if pending:
        yield b"".join(pending)


def _parse(data: bytes) -> EmailMessage:
    if data.lower().count(b"content-type: multipart/") > PART_LIMIT:
        raise Unreadable("The message has too many parts inside each other; forward its text.")
    try:
        parsed = message_from_bytes(data, policy=policy.default)
    except (RecursionError, ValueError, IndexError, AttributeError) as error:
        raise Unreadable("The message is damaged; save it again as .eml.") from error
    assert isinstance(parsed, EmailMessage)
    return parsed


def _write(draft: Draft, message: EmailMessage, heading: str) -> None:
    draft.add(f"{heading} {_header(message, 'Subject') or '(no subject)'}")
    shown = [(name, _header(message, name)) for name in SHOWN_HEADERS]
    draft.add("\n".join(f"{name}: {value}" for name, value in shown if value))
    _write_body(draft, message)
    if names := [*_attachments(message)]:
        draft.add(f"Attachments: {', '.join(names)}")


def _write_body(draft: Draft, message: EmailMessage) -> None:
    """Write the body with marks where another's words begin, and the sender's again."""
    sender = _sender(message)
    is_marked = False
    for part in parts_of(_body(message)):
        if part.author or is_marked:
            draft.mark(Joint.TURN, part.author or sender or UNNAMED)
            is_marked = True
        draft.add(part.text)


def _sender(message: EmailMessage) -> str:
    """The name of the sender, or the address if there is none."""
    people = _people(message, "From")
    return (people[0][0] or people[0][1]) if people else _header(message, "From")


def _people(message: EmailMessage, name: str) -> list[tuple[str, str]]:
    """The name and address of each person in a header."""
    try:
        addresses = getattr(_parsed_header(message, name), "addresses", ())
        pairs = [(address.display_name, address.addr_spec) for address in addresses]
    except Exception:  # The standard parser fails on some headers with unexpected errors.
        pairs = getaddresses([_raw_header(message, name)])
        pairs = [(_decode_words(words), address) for words, address in pairs if address]
    return [(" ".join(QUOTES.sub("", words).split()), address) for words, address in pairs]


def _header(message: EmailMessage, name: str) -> str:
    if name in PEOPLE_HEADERS and (people := _people(message, name)):
        shown = (f"{words} <{address}>" if words else address for words, address in people)
        return ", ".join(shown)
    try:
        return " ".join(str(_parsed_header(message, name)).split())
    except Exception:  # The standard parser fails on some headers with unexpected errors.
        return " ".join(_decode_words(_raw_header(message, name)).split())


def _parsed_header(message: EmailMessage, name: str) -> Any:
    return policy.default.header_factory(name, _raw_header(message, name))


def _raw_header(message: EmailMessage, name: str) -> str:
    """A header in one line, with its encoded words. Bytes that are not ASCII are decoded, which
    the standard parser does not do."""
    values = (str(value) for key, value in message.raw_items() if key.lower() == name.lower())
    line = "".join(next(values, "").splitlines())
    if line.isascii():
        return line
    return decode(line.encode("utf-8", "surrogateescape"), None)


def _decode_words(text: str) -> str:
    try:
        return str(make_header(decode_header(text)))
    except (HeaderParseError, LookupError, ValueError):
        return text


def _body(message: EmailMessage) -> str:
    plain, markup = _part(message, "plain"), _part(message, "html")
    if not markup:
        return plain
    from_html = whole_content(markup)
    return plain if len(plain.strip()) > STUB_SHARE * len(from_html) else from_html or plain


def _part(message: EmailMessage, kind: str) -> str:
    """Return the plain or HTML body, decoded by its declared charset or a guess."""
    try:
        part = message.get_body((kind,))
        payload = part.get_payload(decode=True) if part is not None else None
    except (RecursionError, ValueError, LookupError, AttributeError):
        return ""
    if part is None or not isinstance(payload, bytes):
        return ""
    return decode(payload, part.get_content_charset())


def _attachments(message: EmailMessage) -> Iterator[str]:
    try:
        parts = [*message.iter_attachments()] if message.is_multipart() else []
    except (ValueError, AttributeError, KeyError):
        parts = []
    for part in parts:
        name = part.get_filename()
        if name:
            yield " ".join(str(name).split())
        elif part.get_content_type() == "message/rfc822":
            yield "a forwarded message"


def _metadata(message: EmailMessage) -> dict[str, Any]:
    return {
        "title": _header(message, "Subject"),
        "author": _sender(message),
        "recipients": _header(message, "To"),
        "published_at": iso_date(_header(message, "Date")),
        "attachments": [*_attachments(message)],
    }
