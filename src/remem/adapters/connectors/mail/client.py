"""One IMAP session: blocking, and read-only."""

import re
import ssl
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from remem.adapters.connectors.mail.dial import ANSWER_BYTES, CheckedImap, Login, dial
from remem.adapters.connectors.mail.letters import (
    Attachment,
    Letter,
    body_of,
    head_of,
    number_of,
    received_at,
    text_parts,
)
from remem.adapters.connectors.mail.names import numbers, quoted, ranges, unquoted
from remem.adapters.connectors.mail.threads import Head
from remem.adapters.connectors.mail.wire import Answer, answers, parts_of
from remem.core.errors import Unavailable

# Of one message, whatever it says there; a longer header is cut.
SUBJECT, SUBJECT_BYTES = "HEADER.FIELDS (SUBJECT)", 400
NAMES, NAMES_BYTES = "HEADER.FIELDS (MESSAGE-ID IN-REPLY-TO REFERENCES)", 10_000
SHOWN, SHOWN_BYTES = "HEADER.FIELDS (FROM TO DATE SUBJECT MESSAGE-ID)", 20_000
TEXT_BYTES = 1_000_000
_LISTED = re.compile(rb'\((?P<flags>[^)]*)\) (?:"[^"]*"|NIL) (?P<name>.+)')


@dataclass(frozen=True, slots=True)
class Folder:
    """By its name on the wire, with what changes when its numbers begin anew."""

    validity: int
    uids: list[int]


class ImapSession:
    def __init__(self, client: CheckedImap) -> None:
        self._client = client
        self._open: tuple[str, int] | None = None

    @classmethod
    def open(
        cls, place: tuple[str, int], addresses: Sequence[str], tls: ssl.SSLContext, login: Login
    ) -> "ImapSession":
        return cls(dial(place, addresses, tls, login))

    def folders(self) -> list[str]:
        """Those that contain messages."""
        self._client.allow(ANSWER_BYTES)
        names: list[str] = []
        for line in self._lines(self._client.list()):
            found = _LISTED.match(line)
            if found and b"\\noselect" not in found["flags"].lower():
                names.append(unquoted(found["name"]))
        return names

    def examine(self, folder: str) -> Folder | None:
        """Never marks anything as read. None for a folder that is not there."""
        self._open = None
        self._client.allow(ANSWER_BYTES)
        kind, _ = self._client.select(quoted(folder), readonly=True)
        if kind != "OK":
            return None
        validity = int((self._client.response("UIDVALIDITY")[1] or [b"0"])[0] or 0)
        self._open = (folder, validity)
        return Folder(validity, self._search())

    def heads(
        self, folder: str, validity: int, uids: Sequence[int], *, with_parts: bool
    ) -> list[Head]:
        """What says which conversations messages are of."""
        if not self._is_open(folder, validity):
            return []
        has_threads = "X-GM-EXT-1" in self._client.capabilities
        asked = [
            "INTERNALDATE",
            f"BODY.PEEK[{NAMES}]<0.{NAMES_BYTES}>",
            f"BODY.PEEK[{SUBJECT}]<0.{SUBJECT_BYTES}>",
            *(["X-GM-THRID"] if has_threads else []),
            *(["BODYSTRUCTURE"] if with_parts else []),
        ]
        return [head_of(one) for one in self._fetch(ranges(uids), asked, ANSWER_BYTES)]

    def letters(self, folder: str, validity: int, uids: Sequence[int]) -> list[Letter]:
        """Those of the messages that are still there, with their text."""
        if not self._is_open(folder, validity):
            return []
        asked = ["INTERNALDATE", "BODYSTRUCTURE", f"BODY.PEEK[{SHOWN}]<0.{SHOWN_BYTES}>"]
        found = self._fetch(ranges(uids), asked, ANSWER_BYTES)
        return [self._letter(one) for one in found]

    def attachment(
        self, message: tuple[str, int, int], number: str, most: int
    ) -> Attachment | None:
        """Of a message by its folder, UIDVALIDITY and UID; None when it is gone."""
        folder, validity, uid = message
        if not self._is_open(folder, validity):
            return None
        for answer in self._fetch(str(uid), ["INTERNALDATE", "BODYSTRUCTURE"], ANSWER_BYTES):
            parts = parts_of(answer.get("BODYSTRUCTURE"))
            part = next((one for one in parts if one.number == number), None)
            data = self._part(uid, number, most) if part else None
            if part and data:
                return Attachment(part, data, received_at(answer.get("INTERNALDATE")))
        return None

    def _is_open(self, folder: str, validity: int) -> bool:
        if self._open == (folder, validity):
            return True
        found = self.examine(folder)
        return found is not None and found.validity == validity

    def _letter(self, answer: Answer) -> Letter:
        uid, parts = number_of(answer, "UID"), parts_of(answer.get("BODYSTRUCTURE"))
        texts: dict[str, bytes] = {}
        reason = ""
        for part in text_parts(parts):
            if part.size > TEXT_BYTES:
                reason = f"its text is larger than {TEXT_BYTES / 1e6:,.0f} MB"
            elif found := self._part(uid, part.number, TEXT_BYTES):
                texts[part.kind] = found
        return Letter(
            uid=uid,
            received=received_at(answer.get("INTERNALDATE")),
            header=body_of(answer, "BODY[HEADER"),
            texts=texts,
            attached=tuple(part for part in parts if part.is_attached),
            reason="" if texts else reason,
        )

    def _part(self, uid: int, number: str, most: int) -> bytes | None:
        asked = [f"BODY.PEEK[{number}.MIME]<0.{SHOWN_BYTES}>", f"BODY.PEEK[{number}]<0.{most}>"]
        for one in self._fetch(str(uid), asked, most + ANSWER_BYTES):
            header = body_of(one, f"BODY[{number}.MIME]").strip()
            return header + b"\r\n\r\n" + body_of(one, f"BODY[{number}]")
        return None

    def close(self) -> None:
        self._client.shutdown()

    def _search(self) -> list[int]:
        """As ranges where the server can: a million numbers do not fit into one line."""
        if "ESEARCH" in self._client.capabilities:
            self._lines(self._client.uid("SEARCH", "RETURN", "(ALL)", "UNDELETED"))
            lines = [line for line in self._client.response("ESEARCH")[1] if line]
            found = re.search(rb"\bALL ([\d:,]+)", lines[-1]) if lines else None
            return numbers(found[1].decode()) if found else []
        lines = self._lines(self._client.uid("SEARCH", "UNDELETED"))
        return sorted(int(one) for line in lines for one in line.split())

    def _fetch(self, uids: str, asked: Sequence[str], most: int) -> list[Answer]:
        """Answers that nobody asked for, such as new flags, have no number and are left out."""
        self._client.allow(most)
        kind, pieces = self._client.uid("FETCH", uids, f"(UID {' '.join(asked)})")
        found = answers(pieces) if kind == "OK" else []
        return [one for one in found if number_of(one, "UID")]

    def _lines(self, answer: tuple[str, Any]) -> list[bytes]:
        kind, lines = answer
        if kind != "OK":
            raise Unavailable("The mail server refuses a question; it is tried again.")
        return [line for line in lines if isinstance(line, bytes)]
