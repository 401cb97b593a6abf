"""A mail server on loopback with scripted answers, for behaviour that Dovecot does not have."""

import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.tools.dovecot import make_certificate

# The lines that answer a command; the server adds the tagged line that ends the answer.
Answers = Callable[[str], Iterator[bytes]]


@contextmanager
def scripted_imap_server(
    answers: Answers, capabilities: str = "IMAP4rev1"
) -> Iterator[tuple[str, ssl.SSLContext]]:
    """Yield its host and a TLS context that trusts its certificate. It accepts any password."""
    with TemporaryDirectory(prefix="remem-imap-") as folder:
        certificate = make_certificate(Path(folder))
        tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        tls.load_cert_chain(certificate, Path(folder) / "key.pem")
        with socket.create_server(("127.0.0.1", 0)) as listening:
            args = (listening, tls, answers, capabilities)
            threading.Thread(target=_serve, args=args, daemon=True).start()
            host = f"127.0.0.1:{listening.getsockname()[1]}"
            yield host, ssl.create_default_context(cafile=certificate)


def _serve(
    listening: socket.socket, tls: ssl.SSLContext, answers: Answers, capabilities: str
) -> None:
    while True:
        try:
            plain, _ = listening.accept()
        except OSError:
            return
        args = (plain, tls, answers, capabilities)
        threading.Thread(target=_serve_client, args=args, daemon=True).start()


def _serve_client(
    plain: socket.socket, tls: ssl.SSLContext, answers: Answers, capabilities: str
) -> None:
    with suppress(OSError), tls.wrap_socket(plain, server_side=True) as client:
        stream = client.makefile("rb")
        client.sendall(b"* OK ready\r\n")
        for line in stream:
            tag, _, command = line.decode().rstrip("\r\n").partition(" ")
            if command.upper().startswith("CAPABILITY"):
                client.sendall(f"* CAPABILITY {capabilities}\r\n{tag} OK done\r\n".encode())
            elif command.upper().startswith("LOGIN"):
                client.sendall(f"{tag} OK in\r\n".encode())
            else:
                for reply_line in answers(command):
                    client.sendall(reply_line)
                client.sendall(f"{tag} OK done\r\n".encode())
