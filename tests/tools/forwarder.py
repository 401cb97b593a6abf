"""A port in front of a server: closing it is the server being down, without stopping one."""

import socket
import threading
from contextlib import suppress
from socketserver import BaseRequestHandler, ThreadingTCPServer
from urllib.parse import urlsplit

CHUNK = 65_536


def pump(source: socket.socket, target: socket.socket) -> None:
    """Until one of them ends."""
    with suppress(OSError):
        while data := source.recv(CHUNK):
            target.sendall(data)
    with suppress(OSError):
        target.shutdown(socket.SHUT_WR)


def join(first: socket.socket, second: socket.socket) -> None:
    """Both directions, until both ended."""
    back = threading.Thread(target=pump, args=(second, first), daemon=True)
    back.start()
    pump(first, second)
    back.join()


class _Server(ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True
    target: tuple[str, int]
    # A browser keeps connections for later; they end with the server.
    open: set[socket.socket]


class _Handler(BaseRequestHandler):
    server: _Server

    def handle(self) -> None:
        with socket.create_connection(self.server.target) as other:
            both = {self.request, other}
            self.server.open |= both
            join(self.request, other)
            self.server.open -= both


class Forwarder:
    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        self._target = (str(parts.hostname), parts.port or 80)
        self._server: _Server | None = None
        self.port = 0
        self.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        """At the same port as before, if there was one."""
        self._server = _Server(("127.0.0.1", self.port), _Handler)
        self._server.target, self._server.open = self._target, set()
        self.port = self._server.server_address[1]
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def stop(self) -> None:
        if self._server:
            self._server.shutdown()
            self._server.server_close()
            for connection in tuple(self._server.open):
                with suppress(OSError):
                    connection.shutdown(socket.SHUT_RDWR)
        self._server = None

    def move(self) -> None:
        """To another port."""
        self.stop()
        self.port = 0
        self.start()
