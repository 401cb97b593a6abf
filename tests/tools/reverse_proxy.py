"""A reverse proxy that publishes a server below a path of its own address."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPConnection
from urllib.parse import urlsplit

from tests.tools.http_server import QuietHandler, served

PATH = "/remem"
# What a proxy forwards at the root of its host: the metadata of a URL with a path.
_METADATA = tuple(
    f"/.well-known/oauth-{name}{PATH}" for name in ("authorization-server", "protected-resource")
)
_CHUNK = 64 * 1024


@dataclass
class ReverseProxy:
    """`strips`: like `handle_path` of Caddy or `proxy_pass http://server/` of nginx, which sends
    its own Host; otherwise path and Host are forwarded as they came."""

    url: str = ""
    target: str = ""
    strips: bool = False
    # Requests for other addresses of the host, which belong to other programs.
    outside: list[str] = field(default_factory=list)

    def target_path(self, path: str) -> str | None:
        if path.startswith(_METADATA):
            return path
        if path != PATH and not path.startswith(f"{PATH}/"):
            return None
        return (path.removeprefix(PATH) or "/") if self.strips else path


@contextmanager
def serve_reverse_proxy() -> Iterator[ReverseProxy]:
    proxy = ReverseProxy()

    class Handler(QuietHandler):
        def forward(self) -> None:
            path = proxy.target_path(self.path)
            if path is None:
                proxy.outside.append(self.path)
                self.send_error(404)
                return
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            headers = dict(self.headers.items())
            netloc = urlsplit(proxy.target).netloc
            if proxy.strips:
                headers["Host"] = netloc
            connection = HTTPConnection(netloc, timeout=120)
            try:
                connection.request(self.command, path, body, headers)
                self._relay(connection)
            finally:
                connection.close()

        def _relay(self, connection: HTTPConnection) -> None:
            reply = connection.getresponse()
            self.send_response_only(reply.status)
            for name, value in reply.getheaders():
                if name.lower() not in ("transfer-encoding", "connection"):
                    self.send_header(name, value)
            self.end_headers()
            while part := reply.read1(_CHUNK):
                self.wfile.write(part)
                self.wfile.flush()

        do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = do_HEAD = forward

    with served(Handler) as origin:
        proxy.url = origin + PATH
        yield proxy
