"""A real HTTP server on loopback whose pages a test writes as it goes."""

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
class Asked:
    """One request, as it came in."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes


@dataclass
class Site:
    """Answers a path by its page, and keeps every request; `closing` is set at the end."""

    port: int = 0
    host: str = "127.0.0.1"
    pages: dict[str, Page] = field(default_factory=dict)
    asked: list[Asked] = field(default_factory=list)
    closing: threading.Event = field(default_factory=threading.Event)

    @property
    def url(self) -> str:
        return f"http://{self.host}:{self.port}"


def page(body: bytes = b"hello", status: int = 200, **headers: str) -> Page:
    def answer(request: BaseHTTPRequestHandler) -> None:
        request.send_response(status)
        given = {name.replace("_", "-"): value for name, value in headers.items()}
        for name, value in {"Content-Length": str(len(body)), **given}.items():
            request.send_header(name, value)
        request.end_headers()
        request.wfile.write(body)

    return answer


def redirect(to: str, status: int = 302) -> Page:
    return page(b"", status, Location=to)


def in_turn(*pages: Page) -> Page:
    """Each page once, the last one for good."""
    left = list(pages)
    return lambda request: (left.pop(0) if len(left) > 1 else left[0])(request)


def hang_up(request: BaseHTTPRequestHandler) -> None:
    request.connection.shutdown(socket.SHUT_RDWR)


def drip(site: Site, first: bytes) -> Page:
    """Sends something at once, then a byte now and then, so that no single read times out."""

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
            site.asked.append(Asked(self.command, self.path, dict(self.headers), body))
            self.close_connection = True
            site.pages.get(self.path.partition("?")[0], page(b"nothing", 404))(self)

        do_GET = do_POST = answer

        def end_headers(self) -> None:
            self.send_header("Connection", "close")
            super().end_headers()

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing."""

    class Quiet(ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, request: object, client_address: object) -> None:
            """A client that had enough has hung up."""

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
