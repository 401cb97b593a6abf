"""An HTTP server on loopback that runs as long as a test needs it."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class QuietHandler(BaseHTTPRequestHandler):
    """Keeps requests out of the test's output."""

    def log_message(self, format: str, *args: object) -> None:
        pass


@contextmanager
def served(handler: type[BaseHTTPRequestHandler], port: int = 0) -> Iterator[str]:
    """Run a server, by default on a free port, and yield its address."""
    server = ThreadingHTTPServer(("127.0.0.1", port), handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
