"""Connect to a mail server at checked addresses, and sign in."""

import imaplib
import socket
import ssl
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from remem.core.connectors.errors import NeedsAuth
from remem.core.errors import Invalid, Unavailable

TLS_PORT = 993
TIMEOUT_S = 30.0
# Time limit for the whole answer to one command.
COMMAND_S = 300.0
ANSWER_BYTES = 50_000_000
LINE_BYTES = 8_000_000
REFUSED = (
    "The mail server does not accept the address and password; make an app password in the"
    " security settings of your mail account, and connect again with it."
)
TOKEN_REFUSED = "The mail server no longer accepts the sign-in; connect the account again."


@dataclass(frozen=True, slots=True)
class Login:
    """A user with a password, or with a token from an OAuth sign-in."""

    user: str
    password: str = field(default="", repr=False)
    token: str = field(default="", repr=False)


class CheckedImap(imaplib.IMAP4_SSL):
    """Connects to `addresses` and expects the certificate of `host`. The answer to each command is
    limited in size and time, so a server that never stops sending is disconnected."""

    def __init__(self, host: str, port: int, addresses: Sequence[str], tls: ssl.SSLContext) -> None:
        self._addresses = addresses
        self.limit_answer(ANSWER_BYTES)
        super().__init__(host, port, ssl_context=tls, timeout=TIMEOUT_S)

    def limit_answer(self, answer_bytes: int) -> None:
        """Set the size limit for the answer to the next command."""
        self._bytes_left, self._ends_s = answer_bytes, time.monotonic() + COMMAND_S

    def read(self, size: int) -> bytes:
        self._count_bytes(size)
        return self._stream.read(size)

    def readline(self) -> bytes:
        """Read a line. Only the beginning of a line that is too long is kept, and the session
        continues after it."""
        line = rest = self._stream.readline(LINE_BYTES)
        self._count_bytes(len(rest))
        while rest and not rest.endswith(b"\n"):
            rest = self._stream.readline(LINE_BYTES)
            self._count_bytes(len(rest))
            if rest.endswith(b"\n"):
                line = line[:LINE_BYTES] + b"\r\n"
        return line

    def shutdown(self) -> None:
        self._stream.close()
        super().shutdown()

    def _count_bytes(self, size: int) -> None:
        self._bytes_left -= size
        if self._bytes_left < 0 or time.monotonic() > self._ends_s:
            raise self.abort("the answer has no end")

    def _create_socket(self, timeout: float | None) -> socket.socket:
        failure: OSError = OSError("no address")
        for address in self._addresses:
            try:
                plain = socket.create_connection((address, self.port), timeout)
            except OSError as error:
                failure = error
                continue
            wrapped = self.ssl_context.wrap_socket(plain, server_hostname=self.host)
            self._stream = wrapped.makefile("rb")
            return wrapped
        raise failure


def dial(
    server: tuple[str, int], addresses: Sequence[str], tls: ssl.SSLContext, login: Login
) -> CheckedImap:
    refused_message = TOKEN_REFUSED if login.token else REFUSED
    if any(ord(char) < 32 for char in login.user + login.password + login.token):
        # A line break would start another command.
        raise NeedsAuth(refused_message)
    try:
        client = CheckedImap(*server, addresses, tls)
    except ssl.SSLCertVerificationError as error:
        raise Invalid("host", "its certificate is not valid; check the name") from error
    except (OSError, imaplib.IMAP4.error) as error:
        raise Unavailable("The mail server cannot be reached; it is tried again.") from error
    try:
        _sign_in(client, login)
    except (imaplib.IMAP4.abort, OSError) as error:
        client.shutdown()
        raise Unavailable("The mail server ended the sign-in; it is tried again.") from error
    except (imaplib.IMAP4.error, UnicodeEncodeError) as error:
        client.shutdown()
        if "UNAVAILABLE" in str(error):
            raise Unavailable("The mail server is busy; it is tried again.") from error
        raise NeedsAuth(refused_message) from error
    return client


def _sign_in(client: CheckedImap, login: Login) -> None:
    if login.token:
        responses = iter([f"user={login.user}\x01auth=Bearer {login.token}\x01\x01".encode()])
        # The server refuses by a second challenge, which expects an empty response.
        client.authenticate("XOAUTH2", lambda _: next(responses, b""))
    else:
        client.login(login.user, login.password)
    # A server may offer more capabilities after the sign-in.
    lines = client.capability()[1]
    client.capabilities = tuple((lines[-1] or b"").decode("ascii", "replace").upper().split())
