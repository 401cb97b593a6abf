"""One IMAP session over TLS: blocking, read-only, and dialled to addresses that were checked."""

import base64
import imaplib
import re
import socket
import ssl
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from remem.core.connectors import NeedsAuth
from remem.core.errors import Invalid, Unavailable

TIMEOUT_S = 30.0
TLS_PORT = 993
REFUSED = (
    "The mail server does not accept the address and password; make an app password in the"
    " security settings of your mail account, and connect again with it."
)
_LISTED = re.compile(rb'\((?P<flags>[^)]*)\) (?:"[^"]*"|NIL) (?P<name>.+)')
_BASE64 = re.compile(r"&([A-Za-z0-9+,]*)-")
_SIZE = re.compile(rb"RFC822\.SIZE (\d+)")


@dataclass(frozen=True, slots=True)
class Folder:
    """By its name on the wire, with what changes when its numbers begin anew."""

    validity: int
    uids: list[int]


@dataclass(frozen=True, slots=True)
class Letter:
    data: bytes
    received: str


class CheckedImap(imaplib.IMAP4_SSL):
    """Dials `addresses`, and expects the certificate of `host`."""

    def __init__(self, host: str, port: int, addresses: Sequence[str], tls: ssl.SSLContext) -> None:
        self._addresses = addresses
        super().__init__(host, port, ssl_context=tls, timeout=TIMEOUT_S)

    def _create_socket(self, timeout: float | None) -> socket.socket:
        failure: OSError = OSError("no address")
        for address in self._addresses:
            try:
                plain = socket.create_connection((address, self.port), timeout)
            except OSError as error:
                failure = error
                continue
            return self.ssl_context.wrap_socket(plain, server_hostname=self.host)
        raise failure


class ImapSession:
    def __init__(self, client: CheckedImap) -> None:
        self._client = client
        self._open: str | None = None

    @classmethod
    def open(
        cls,
        place: tuple[str, int],
        addresses: Sequence[str],
        tls: ssl.SSLContext,
        user: str,
        password: str,
    ) -> "ImapSession":
        try:
            client = CheckedImap(*place, addresses, tls)
        except ssl.SSLCertVerificationError as error:
            raise Invalid("host", "its certificate is not valid; check the name") from error
        except (OSError, imaplib.IMAP4.error) as error:
            raise Unavailable("The mail server cannot be reached; it is tried again.") from error
        try:
            client.login(user, _quoted_password(password))
        except imaplib.IMAP4.abort as error:
            raise Unavailable("The mail server ended the sign-in; it is tried again.") from error
        except (imaplib.IMAP4.error, UnicodeEncodeError) as error:
            client.shutdown()
            if b"UNAVAILABLE" in str(error).encode():
                raise Unavailable("The mail server is busy; it is tried again.") from error
            raise NeedsAuth(REFUSED) from error
        return cls(client)

    def folders(self) -> list[str]:
        """Those that contain messages."""
        names: list[str] = []
        for line in self._lines(self._client.list()):
            found = _LISTED.match(line)
            if found and b"\\noselect" not in found["flags"].lower():
                names.append(_unquoted(found["name"]))
        return names

    def examine(self, folder: str) -> Folder | None:
        """Never marks anything as read. None for a folder that is not there."""
        self._open = None
        kind, _ = self._client.select(_quoted(folder), readonly=True)
        if kind != "OK":
            return None
        self._open = folder
        validity = int((self._client.response("UIDVALIDITY")[1] or [b"0"])[0] or 0)
        return Folder(validity, self._search())

    def letter(self, folder: str, validity: int, uid: int, max_bytes: int) -> Letter | int | None:
        """The message, its size where that is more than `max_bytes`, or None when it is gone."""
        if self._open != folder:
            found = self.examine(folder)
            if found is None or found.validity != validity:
                return None
        size = _number(self._fetch(uid, "(RFC822.SIZE)"), _SIZE)
        if size is None or size > max_bytes:
            return size
        parts = self._fetch(uid, "(INTERNALDATE BODY.PEEK[])")
        whole = next((one for one in parts if isinstance(one, tuple)), None)
        if whole is None:
            return None
        date = re.search(rb'INTERNALDATE "([^"]*)"', whole[0])
        return Letter(whole[1], date[1].decode("ascii", "replace") if date else "")

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

    def _fetch(self, uid: int, what: str) -> list[bytes | tuple[bytes, bytes]]:
        kind, parts = self._client.uid("FETCH", str(uid), what)
        return [part for part in parts if part] if kind == "OK" else []

    def _lines(self, answer: tuple[str, Any]) -> list[bytes]:
        kind, lines = answer
        if kind != "OK":
            raise Unavailable("The mail server refuses a question; it is tried again.")
        return [line for line in lines if isinstance(line, bytes)]


def numbers(ranges: str) -> list[int]:
    """Of "1:3,7": 1, 2, 3, 7."""
    found: list[int] = []
    for part in filter(None, ranges.split(",")):
        first, _, last = part.partition(":")
        low, high = sorted((int(first), int(last or first)))
        if len(found) + high - low > 2_000_000:
            raise Unavailable("The folder has too many messages; choose a smaller one.")
        found += range(low, high + 1)
    return sorted(found)


def ranges(found: Iterable[int]) -> str:
    """Of 1, 2, 3, 7: "1:3,7"."""
    spans: list[list[int]] = []
    for number in sorted(found):
        if spans and spans[-1][1] == number - 1:
            spans[-1][1] = number
        else:
            spans.append([number, number])
    return ",".join(f"{low}:{high}" if high > low else str(low) for low, high in spans)


def readable(name: str) -> str:
    """A folder's name as people write it: IMAP has its own way for letters beyond ASCII."""

    def decoded(found: re.Match[str]) -> str:
        if not found[1]:
            return "&"
        packed = found[1].replace(",", "/")
        try:
            return base64.b64decode(packed + "=" * (-len(packed) % 4)).decode("utf-16-be")
        except ValueError:
            return found[0]

    return _BASE64.sub(decoded, name)


def _number(parts: list[bytes | tuple[bytes, bytes]], pattern: re.Pattern[bytes]) -> int | None:
    for part in parts:
        found = pattern.search(part if isinstance(part, bytes) else part[0])
        if found:
            return int(found[1])
    return None


def _quoted(name: str) -> str:
    escaped = name.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _unquoted(name: bytes) -> str:
    text = name.decode("ascii", "replace").strip()
    if text.startswith('"') and text.endswith('"'):
        return re.sub(r"\\(.)", r"\1", text[1:-1])
    return text


def _quoted_password(password: str) -> str:
    """`login` quotes it; a line break would begin another command."""
    if any(ord(char) < 32 for char in password):
        raise NeedsAuth(REFUSED)
    return password
