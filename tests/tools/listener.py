"""A program on this machine that waits for a browser to come by, or shows it a page."""

import queue
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, urlsplit


@dataclass(frozen=True)
class Listener:
    port: int
    visits: "queue.Queue[dict[str, str]]" = field(default_factory=queue.Queue)

    def uri(self, host: str = "127.0.0.1") -> str:
        return f"http://{host}:{self.port}/callback"

    def visit(self) -> dict[str, str]:
        """What the browser brought, once it has come."""
        return self.visits.get(timeout=60)


@contextmanager
def listen(page: str = "<p>You can close this page.</p>") -> Iterator[Listener]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            if self.path.startswith("/callback"):
                listener.visits.put(dict(parse_qsl(urlsplit(self.path).query)))
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(page.encode())

        def log_message(self, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    listener = Listener(server.server_address[1])
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield listener
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
