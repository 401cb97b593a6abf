"""A real HTTP server on loopback whose pages the test defines."""

import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TypeAlias

Page: TypeAlias = Callable[[BaseHTTPRequestHandler], None]


@dataclass(frozen=True)
class RecordedRequest:
    """One request, as it was received."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes


@dataclass
class Site:
    """Answers each path with its page and records every request. `closing` is set on shutdown."""

    port: int = 0
    host: str = "127.0.0.1"
    pages: dict[str, Page] = field(default_factory=dict)
    requests: list[RecordedRequest] = field(default_factory=list)
    closing: threading.Event = field(default_factory=threading.Event)

    @property
    def url(self) -> str:
        return f"http://{self.host}:{self.port}"


def page(body: bytes = b"hello", status: int = 200, **headers: str) -> Page:
    def answer(request: BaseHTTPRequestHandler) -> None:
        request.send_response(status)
        fields = {name.replace("_", "-"): value for name, value in headers.items()}
        for name, value in {"Content-Length": str(len(body)), **fields}.items():
            request.send_header(name, value)
        request.end_headers()
        request.wfile.write(body)

    return answer


def redirect(to: str, status: int = 302) -> Page:
    return page(b"", status, Location=to)


def in_turn(*pages: Page) -> Page:
    """Answer with each page once, then with the last one again and again."""
    remaining = list(pages)
    return lambda request: (remaining.pop(0) if len(remaining) > 1 else remaining[0])(request)


def hang_up(request: BaseHTTPRequestHandler) -> None:
    request.connection.shutdown(socket.SHUT_RDWR)


def drip(site: Site, first: bytes) -> Page:
    """Send `first`, then one byte every 20 ms, so that no single read times out."""

    def answer(request: BaseHTTPRequestHandler) -> None:
        request.wfile.write(first)
        while not site.closing.wait(0.02):
            request.wfile.write(b"x")

    return answer


@contextmanager
def serving(site: Site, tls: ssl.SSLContext | None = None) -> Iterator[Site]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def answer(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            site.requests.append(RecordedRequest(self.command, self.path, dict(self.headers), body))
            self.close_connection = True
            site.pages.get(self.path.partition("?")[0], page(b"nothing", 404))(self)

        do_GET = do_POST = answer

        def end_headers(self) -> None:
            self.send_header("Connection", "close")
            super().end_headers()

        def log_message(self, format: str, *args: object) -> None:
            """Log nothing."""

    class Quiet(ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, request: object, client_address: object) -> None:
            """Ignore clients that hang up early."""

    http = Quiet((site.host, 0), Handler)
    if tls:
        http.socket = tls.wrap_socket(http.socket, server_side=True)
    site.port = http.server_port
    thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield site
    finally:
        site.closing.set()
        http.shutdown()
        thread.join()
        http.server_close()
