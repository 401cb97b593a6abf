"""A TCP proxy in front of a server. Stopping it simulates a server that is down."""

import socket
import threading
from contextlib import suppress
from socketserver import BaseRequestHandler, ThreadingTCPServer
from urllib.parse import urlsplit

CHUNK = 65_536


def pump(source: socket.socket, target: socket.socket) -> None:
    """Copy data until one of the sockets ends."""
    with suppress(OSError):
        while data := source.recv(CHUNK):
            target.sendall(data)
    with suppress(OSError):
        target.shutdown(socket.SHUT_WR)


def join(first: socket.socket, second: socket.socket) -> None:
    """Copy data in both directions until both have ended."""
    backward = threading.Thread(target=pump, args=(second, first), daemon=True)
    backward.start()
    pump(first, second)
    backward.join()


class _Server(ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True
    target: tuple[str, int]
    # A browser keeps connections open for later; stopping the server closes them.
    open: set[socket.socket]


class _Handler(BaseRequestHandler):
    server: _Server

    def handle(self) -> None:
        with socket.create_connection(self.server.target) as upstream:
            pair = {self.request, upstream}
            self.server.open |= pair
            join(self.request, upstream)
            self.server.open -= pair


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
        """Listen at the same port as before, or at any free one the first time."""
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
        """Listen at another port."""
        self.stop()
        self.port = 0
        self.start()
