"""A mail server on loopback that keeps what it accepts (RFC 5321, with STARTTLS and AUTH)."""

import base64
import email
import email.policy
import socketserver
import ssl
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email.message import EmailMessage
from ipaddress import ip_address
from pathlib import Path

from cryptography import x509

from tests.tools.certificates import Certificate, self_signed

CREDENTIAL = ("remem", "open sesame")


@dataclass
class MailServer:
    """`replies` holds replies to commands, by their first word, in place of the usual ones, each
    used once; `.` is the end of a message, and an empty reply closes the connection."""

    port: int = 0
    replies: dict[str, list[str]] = field(default_factory=dict)
    letters: list[EmailMessage] = field(default_factory=list)
    recipients: list[str] = field(default_factory=list)
    commands: list[str] = field(default_factory=list)
    tls: ssl.SSLContext | None = None
    certificate: Certificate | None = None
    needs_sign_in: bool = False
    # Unset: the server accepts messages, but does not say so.
    answers: threading.Event = field(default_factory=threading.Event)

    @property
    def client_context(self) -> ssl.SSLContext:
        assert self.certificate
        return ssl.create_default_context(cadata=self.certificate.certificate.decode())


@contextmanager
def mail_server(*, starttls: bool = False, needs_sign_in: bool = False) -> Iterator[MailServer]:
    double = MailServer(needs_sign_in=needs_sign_in)
    double.answers.set()
    if starttls:
        double.certificate = self_signed(
            "mail.test", [x509.IPAddress(ip_address("127.0.0.1")), x509.DNSName("localhost")]
        )
        double.tls = _server_context(double.certificate)

    class Handler(_Handler):
        server_state = double

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        double.port = server.server_address[1]
        thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
        thread.start()
        try:
            yield double
        finally:
            double.answers.set()
            server.shutdown()
            thread.join()


def _server_context(certificate: Certificate) -> ssl.SSLContext:
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "server.pem")
        path.write_bytes(certificate.private_key + certificate.certificate)
        context.load_cert_chain(path)
    return context


class _Handler(socketserver.StreamRequestHandler):
    server_state: MailServer

    def handle(self) -> None:
        self._signed_in, self._to = False, ""
        self._say("220 mail.test ESMTP")
        while line := self.rfile.readline():
            command = line.decode().strip()
            self.server_state.commands.append(command)
            if not self._answer(command):
                return

    def _answer(self, command: str) -> bool:
        """Whether the connection goes on."""
        word = command.split(" ")[0].upper()
        if planned := self.server_state.replies.get(word):
            return self._say(planned.pop(0))
        if word == "DATA":
            return self._read_letter()
        if word == "STARTTLS" and self.server_state.tls:
            self._say("220 go ahead")
            self.request = self.server_state.tls.wrap_socket(self.request, server_side=True)
            self.setup()
            return True
        if word == "AUTH":
            return self._sign_in(command)
        if word == "MAIL" and self.server_state.needs_sign_in and not self._signed_in:
            return self._say("530 sign in first")
        if word == "RCPT":
            self._to = command.partition("<")[2].rstrip(">")
        if word == "EHLO":
            offers = ["STARTTLS"] if self.server_state.tls else []
            offers += ["AUTH PLAIN"] if self.server_state.needs_sign_in else []
            lines = ["mail.test", *offers, "8BITMIME"]
            for line in lines[:-1]:
                self._say(f"250-{line}")
            return self._say(f"250 {lines[-1]}")
        return self._say("221 bye") and False if word == "QUIT" else self._say("250 ok")

    def _sign_in(self, command: str) -> bool:
        sent = base64.b64decode(command.split(" ")[2]).decode().split("\0")[1:]
        self._signed_in = tuple(sent) == CREDENTIAL
        return self._say("235 welcome" if self._signed_in else "535 wrong")

    def _read_letter(self) -> bool:
        self._say("354 go on")
        lines = []
        while (line := self.rfile.readline()) not in (b".\r\n", b""):
            lines.append(line[1:] if line.startswith(b"..") else line)
        if not line:
            return False
        if planned := self.server_state.replies.get("."):
            return self._say(planned.pop(0))
        letter = email.message_from_bytes(b"".join(lines), policy=email.policy.default)
        assert isinstance(letter, EmailMessage)
        self.server_state.letters.append(letter)
        self.server_state.recipients.append(self._to)
        self.server_state.answers.wait(60)
        return self._say("250 accepted")

    def _say(self, text: str) -> bool:
        if not text:
            return False
        try:
            self.wfile.write(f"{text}\r\n".encode())
        except OSError:
            return False
        return True
