"""A server on loopback that waits for a browser's OAuth callback, or shows it a page."""

import queue
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from urllib.parse import parse_qsl, urlsplit

from tests.tools.http_server import QuietHandler, served


@dataclass(frozen=True)
class Listener:
    port: int
    visits: "queue.Queue[dict[str, str]]" = field(default_factory=queue.Queue)

    def uri(self, host: str = "127.0.0.1") -> str:
        return f"http://{host}:{self.port}/callback"

    def visit(self) -> dict[str, str]:
        """Wait for the browser and return the query parameters that it sent."""
        return self.visits.get(timeout=120)


@contextmanager
def listen(page: str = "<p>You can close this page.</p>") -> Iterator[Listener]:
    class Handler(QuietHandler):
        def do_GET(self) -> None:
            if self.path.startswith("/callback"):
                listener.visits.put(dict(parse_qsl(urlsplit(self.path).query)))
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(page.encode())

    with served(Handler) as url:
        listener = Listener(int(url.rpartition(":")[2]))
        yield listener
