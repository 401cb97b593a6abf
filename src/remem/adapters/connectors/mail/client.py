"""A blocking, read-only IMAP session."""

import re
import ssl
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from remem.adapters.connectors.mail.dial import ANSWER_BYTES, CheckedImap, Login, dial
from remem.adapters.connectors.mail.messages import (
    Attachment,
    MailMessage,
    body_field,
    int_field,
    parse_head,
    parse_received_at,
    text_parts,
)
from remem.adapters.connectors.mail.names import (
    format_ranges,
    parse_ranges,
    quote_name,
    unquote_name,
)
from remem.adapters.connectors.mail.threads import Head
from remem.adapters.connectors.mail.wire import Answer, parse_answers, parse_parts
from remem.core.errors import Unavailable

# Header fields and their limits per message; a longer header is cut.
SUBJECT, SUBJECT_BYTES = "HEADER.FIELDS (SUBJECT)", 400
THREAD_HEADERS, THREAD_HEADERS_BYTES = "HEADER.FIELDS (MESSAGE-ID IN-REPLY-TO REFERENCES)", 10_000
SHOWN_HEADERS, SHOWN_HEADERS_BYTES = "HEADER.FIELDS (FROM TO DATE SUBJECT MESSAGE-ID)", 20_000
TEXT_BYTES = 1_000_000
_LIST_LINE = re.compile(rb'\((?P<flags>[^)]*)\) (?:"[^"]*"|NIL) (?P<name>.+)')


@dataclass(frozen=True, slots=True)
class Folder:
    """The messages of a folder. UIDs are valid only as long as `validity` stays the same."""

    validity: int
    uids: list[int]


class ImapSession:
    def __init__(self, client: CheckedImap) -> None:
        self._client = client
        self._open: tuple[str, int] | None = None

    @classmethod
    def open(
        cls, server: tuple[str, int], addresses: Sequence[str], tls: ssl.SSLContext, login: Login
    ) -> "ImapSession":
        return cls(dial(server, addresses, tls, login))

    def folders(self) -> list[str]:
        """Names of the folders that can contain messages."""
        self._client.limit_answer(ANSWER_BYTES)
        names: list[str] = []
        for line in self._lines(self._client.list()):
            match = _LIST_LINE.match(line)
            if match and b"\\noselect" not in match["flags"].lower():
                names.append(unquote_name(match["name"]))
        return names

    def examine(self, folder: str) -> Folder | None:
        """Open a folder without marking anything as read; None when it does not exist."""
        self._open = None
        self._client.limit_answer(ANSWER_BYTES)
        kind, _ = self._client.select(quote_name(folder), readonly=True)
        if kind != "OK":
            return None
        validity = int((self._client.response("UIDVALIDITY")[1] or [b"0"])[0] or 0)
        self._open = (folder, validity)
        return Folder(validity, self._search())

    def heads(
        self, folder: str, validity: int, uids: Sequence[int], *, with_parts: bool
    ) -> list[Head]:
        """Return the headers that assign messages to conversations."""
        if not self._ensure_open(folder, validity):
            return []
        has_threads = "X-GM-EXT-1" in self._client.capabilities
        data_items = [
            "INTERNALDATE",
            f"BODY.PEEK[{THREAD_HEADERS}]<0.{THREAD_HEADERS_BYTES}>",
            f"BODY.PEEK[{SUBJECT}]<0.{SUBJECT_BYTES}>",
            *(["X-GM-THRID"] if has_threads else []),
            *(["BODYSTRUCTURE"] if with_parts else []),
        ]
        return [
            parse_head(answer)
            for answer in self._fetch(format_ranges(uids), data_items, ANSWER_BYTES)
        ]

    def messages(self, folder: str, validity: int, uids: Sequence[int]) -> list[MailMessage]:
        """Return the messages that still exist, with their text."""
        if not self._ensure_open(folder, validity):
            return []
        data_items = [
            "INTERNALDATE",
            "BODYSTRUCTURE",
            f"BODY.PEEK[{SHOWN_HEADERS}]<0.{SHOWN_HEADERS_BYTES}>",
        ]
        fetched = self._fetch(format_ranges(uids), data_items, ANSWER_BYTES)
        return [self._message(answer) for answer in fetched]

    def attachment(
        self, message: tuple[str, int, int], number: str, max_bytes: int
    ) -> Attachment | None:
        """Return an attachment of a message (folder, UIDVALIDITY, UID); None when it is gone."""
        folder, validity, uid = message
        if not self._ensure_open(folder, validity):
            return None
        for answer in self._fetch(str(uid), ["INTERNALDATE", "BODYSTRUCTURE"], ANSWER_BYTES):
            parts = parse_parts(answer.get("BODYSTRUCTURE"))
            part = next((candidate for candidate in parts if candidate.number == number), None)
            data = self._part(uid, number, max_bytes) if part else None
            if part and data:
                return Attachment(part, data, parse_received_at(answer.get("INTERNALDATE")))
        return None

    def _ensure_open(self, folder: str, validity: int) -> bool:
        if self._open == (folder, validity):
            return True
        opened = self.examine(folder)
        return opened is not None and opened.validity == validity

    def _message(self, answer: Answer) -> MailMessage:
        uid, parts = int_field(answer, "UID"), parse_parts(answer.get("BODYSTRUCTURE"))
        texts: dict[str, bytes] = {}
        reason = ""
        for part in text_parts(parts):
            if part.size > TEXT_BYTES:
                reason = f"its text is larger than {TEXT_BYTES / 1e6:,.0f} MB"
            elif data := self._part(uid, part.number, TEXT_BYTES):
                texts[part.kind] = data
        return MailMessage(
            uid=uid,
            received=parse_received_at(answer.get("INTERNALDATE")),
            header=body_field(answer, "BODY[HEADER"),
            texts=texts,
            attached=tuple(part for part in parts if part.is_attached),
            reason="" if texts else reason,
        )

    def _part(self, uid: int, number: str, max_bytes: int) -> bytes | None:
        data_items = [
            f"BODY.PEEK[{number}.MIME]<0.{SHOWN_HEADERS_BYTES}>",
            f"BODY.PEEK[{number}]<0.{max_bytes}>",
        ]
        for answer in self._fetch(str(uid), data_items, max_bytes + ANSWER_BYTES):
            header = body_field(answer, f"BODY[{number}.MIME]").strip()
            return header + b"\r\n\r\n" + body_field(answer, f"BODY[{number}]")
        return None

    def close(self) -> None:
        self._client.shutdown()

    def _search(self) -> list[int]:
        """Return all UIDs, as ranges if the server supports it: a line cannot contain a million."""
        if "ESEARCH" in self._client.capabilities:
            self._lines(self._client.uid("SEARCH", "RETURN", "(ALL)", "UNDELETED"))
            lines = [line for line in self._client.response("ESEARCH")[1] if line]
            match = re.search(rb"\bALL ([\d:,]+)", lines[-1]) if lines else None
            return parse_ranges(match[1].decode()) if match else []
        lines = self._lines(self._client.uid("SEARCH", "UNDELETED"))
        return sorted(int(uid) for line in lines for uid in line.split())

    def _fetch(self, uids: str, data_items: Sequence[str], max_bytes: int) -> list[Answer]:
        """Fetch data items. Unsolicited answers, such as new flags, have no UID and are dropped."""
        self._client.limit_answer(max_bytes)
        kind, pieces = self._client.uid("FETCH", uids, f"(UID {' '.join(data_items)})")
        parsed = parse_answers(pieces) if kind == "OK" else []
        return [answer for answer in parsed if int_field(answer, "UID")]

    def _lines(self, answer: tuple[str, Any]) -> list[bytes]:
        kind, lines = answer
        if kind != "OK":
            raise Unavailable("The mail server refuses a question; it is tried again.")
        return [line for line in lines if isinstance(line, bytes)]
