"""Plain messages as talks, without what they quote; others are left to the readers of files."""

from email import message_from_bytes, policy
from email.message import EmailMessage
from email.utils import parseaddr, parsedate_to_datetime

from remem.core.items import Item, Said

HEADER_BYTES = 100_000
PLAIN_BYTES = 200_000


def plain_talk(data: bytes) -> Item | None:
    """Of a message with nothing but plain text; None for any other."""
    if len(data) > PLAIN_BYTES or b"multipart/" in data.lower():
        return None
    try:
        message = message_from_bytes(data, policy=policy.default)
        assert isinstance(message, EmailMessage)
        if message.get_content_type() != "text/plain" or message.defects:
            return None
        text = without_quotes(str(message.get_content()))
        name, address = parseaddr(str(message.get("From", "")))
        sent = str(message.get("Date", ""))
        at = parsedate_to_datetime(sent) if sent else None
    except Exception:  # The standard parser stumbles over some messages in ways of its own.
        return None
    if not text.strip():
        return None
    turn = Said(name or address or "unknown", text, at)
    return Item(kind="talk", reference="", title=subject_of(data), turns=(turn,))


def subject_of(data: bytes) -> str:
    """Of the head only; whatever is wrong with it, a message has a name."""
    try:
        head = data.replace(b"\r\n", b"\n")[:HEADER_BYTES].split(b"\n\n", 1)[0]
        subject = str(message_from_bytes(head, policy=policy.default).get("Subject", ""))
    except Exception:  # As above.
        subject = ""
    return " ".join(subject.split())[:200] or "(no subject)"


def without_quotes(text: str) -> str:
    """Without the quoted message at the end, and the line that introduces it."""
    lines = text.rstrip().splitlines()
    end = len(lines)
    while end and (lines[end - 1].startswith(">") or not lines[end - 1].strip()):
        end -= 1
    quoted = any(line.startswith(">") for line in lines[end:])
    if quoted and end and lines[end - 1].rstrip().endswith(":"):
        end -= 1
    return "\n".join(lines[:end] if quoted and end else lines)
