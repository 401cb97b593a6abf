"""Third-party sites served on this machine: invented pages under real host names."""

import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from cryptography import x509

from tests.tools.certificates import self_signed

HOSTS = (
    "news.example",
    "x.com",
    "github.com",
    "www.youtube.com",
    "docs.google.com",
    "chatgpt.com",
    "claude.ai",
    "gemini.google.com",
    "www.perplexity.ai",
    "grok.com",
    "editor.example",
    "memory.example",
)


@dataclass(frozen=True)
class Reply:
    body: bytes
    content_type: str = "text/html; charset=utf-8"
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    # The event to wait for before anything is sent.
    after: threading.Event | None = None


class Sites:
    """The replies by host and path, and the recorded requests."""

    def __init__(self) -> None:
        self.replies: dict[str, Reply] = {}
        self.requests: list[str] = []
        self.port = 0

    def put(self, address: str, body: str | bytes, **fields: object) -> str:
        """Serve `body` at `host/path` and return the full address."""
        content = body.encode() if isinstance(body, str) else body
        self.replies[address] = Reply(content, **fields)  # type: ignore[arg-type]
        return f"https://{address}"

    def rules(self) -> str:
        """The flag that maps the host names to this server; no other host can be resolved."""
        names = ", ".join(f"MAP {host} 127.0.0.1:{self.port}" for host in HOSTS)
        return f"--host-resolver-rules={names}, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"


@contextmanager
def serve_sites(folder: Path, port: int = 0) -> Iterator[Sites]:
    sites = Sites()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            host = self.headers.get("Host", "").split(":")[0]
            sites.requests.append(f"{host}{self.path}")
            path = self.path.split("?")[0]
            reply = sites.replies.get(f"{host}{self.path}") or sites.replies.get(f"{host}{path}")
            self._reply(reply or Reply(b"not here", status=404))

        def _reply(self, reply: Reply) -> None:
            if reply.after:
                reply.after.wait()
            self.send_response(reply.status)
            self.send_header("Content-Type", reply.content_type)
            self.send_header("Content-Length", str(len(reply.body)))
            for name, value in reply.headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(reply.body)

        def log_message(self, format: str, *args: object) -> None:
            """Keep requests out of the test's output."""

    httpd = ThreadingHTTPServer(("127.0.0.1", port), Handler)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(_certificate(folder))
    # Each connection's thread does the handshake: a browser opens spare connections and sends
    # nothing, which would block accepting others.
    httpd.socket = context.wrap_socket(
        httpd.socket, server_side=True, do_handshake_on_connect=False
    )
    sites.port = httpd.server_address[1]
    thread = threading.Thread(target=httpd.serve_forever, daemon=True)
    thread.start()
    try:
        yield sites
    finally:
        httpd.shutdown()
        httpd.server_close()


def _certificate(folder: Path) -> Path:
    certificate = self_signed("sites of the tests", [x509.DNSName(host) for host in HOSTS])
    path = folder / "sites.pem"
    path.write_bytes(certificate.private_key + certificate.certificate)
    return path
