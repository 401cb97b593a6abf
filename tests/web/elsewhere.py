"""A proxy that records a browser's requests to servers other than ours. Requests to this machine
are forwarded, all others fail.

The browser can report these requests itself, but then it sends five events for every file that it
loads: a sixth of the work of a page."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

import httpx2

from tests.tools.http_server import QuietHandler, served

# The headers of a reply that are forwarded.
_HEADERS = ("Content-Type", "Location", "Set-Cookie")


class Elsewhere:
    """A proxy for everything but one address. Requests are added to the `events` of a page in the
    format in which the browser reports them."""

    def __init__(self, url: str, ours: str) -> None:
        self.events: list[dict[str, Any]] = []
        self.flags = (
            f"--proxy-server={url}",
            f"--proxy-bypass-list=<-loopback>;{urlsplit(ours).netloc}",
        )

    def record(self, url: str) -> None:
        params = {"request": {"url": url}}
        self.events.append({"method": "Network.requestWillBeSent", "params": params})


@contextmanager
def serve_elsewhere(ours: str) -> Iterator[Elsewhere]:
    class Handler(QuietHandler):
        def forward(self) -> None:
            elsewhere.record(self.path)
            if urlsplit(self.path).hostname != "127.0.0.1":
                self.send_error(502)
                return
            length = int(self.headers.get("Content-Length") or 0)
            reply = httpx2.request(self.command, self.path, content=self.rfile.read(length))
            self.send_response(reply.status_code)
            for name in _HEADERS:
                if name in reply.headers:
                    self.send_header(name, reply.headers[name])
            self.send_header("Content-Length", str(len(reply.content)))
            self.end_headers()
            self.wfile.write(reply.content)

        do_GET = do_POST = forward

        def do_CONNECT(self) -> None:
            elsewhere.record(f"https://{self.path}")
            self.send_error(502)

    with served(Handler) as url:
        elsewhere = Elsewhere(url, ours)
        yield elsewhere
