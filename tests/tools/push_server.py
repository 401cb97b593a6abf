"""A double of ntfy, and a receiver of webhooks, on loopback."""

import base64
import hashlib
import hmac
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from tests.tools.http_server import QuietHandler, ThreadingHTTPServer

NTFY_TOKEN = "tk_AgQdq7mVBoFD37zQVN29RhuMzNIz2"


@dataclass
class PushServer:
    """Each path below `/hook` is a webhook; `/` takes messages as ntfy does. `statuses` are the
    next replies in place of 200."""

    url: str = ""
    statuses: list[int] = field(default_factory=list)
    headers: dict[str, str] = field(default_factory=dict)
    published: list[dict[str, Any]] = field(default_factory=list)
    called: list[tuple[dict[str, str], bytes]] = field(default_factory=list)
    protected: set[str] = field(default_factory=set)
    # Unset: requests are read, but not answered.
    answers: threading.Event = field(default_factory=threading.Event)

    @property
    def ids(self) -> list[str]:
        return [headers["webhook-id"] for headers, _ in self.called]


@contextmanager
def push_server(host: str = "127.0.0.1") -> Iterator[PushServer]:
    double = PushServer()
    double.answers.set()

    class Handler(_Handler):
        state = double

    server = ThreadingHTTPServer((host, 0), Handler)
    double.url = f"http://{host}:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield double
    finally:
        double.answers.set()
        server.shutdown()
        thread.join()
        server.server_close()


def verify(secret: str, headers: dict[str, str], body: bytes) -> bool:
    """As a receiver does it by the documentation of Standard Webhooks."""
    key = base64.b64decode(secret.split("_", 1)[1])
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    expected = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    return f"v1,{expected}" in headers["webhook-signature"].split(" ")


class _Handler(QuietHandler):
    state: PushServer

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        headers = {name.lower(): value for name, value in self.headers.items()}
        if self.state.statuses:
            status = self.state.statuses.pop(0)
            self._reply(status, {"code": status * 100 + 1, "http": status, "error": "not now"})
        elif self.path.startswith("/hook"):
            self.state.called.append((headers, body))
            self.state.answers.wait(60)
            self._reply(200, {})
        else:
            self._publish(headers, json.loads(body))

    def _publish(self, headers: dict[str, str], message: dict[str, Any]) -> None:
        """As https://docs.ntfy.sh/publish/#publish-as-json says."""
        known = {"topic", "message", "title", "tags", "priority", "click", "markdown"}
        if self.path != "/" or not message.get("topic") or message.keys() - known:
            self._reply(400, {"code": 40024, "http": 400, "error": "invalid request: body"})
        elif message["topic"] in self.state.protected and headers.get("authorization") != (
            f"Bearer {NTFY_TOKEN}"
        ):
            self._reply(403, {"code": 40301, "http": 403, "error": "forbidden"})
        elif len(message["message"].encode()) > 4096:
            self._reply(413, {"code": 41301, "http": 413, "error": "attachment too large"})
        else:
            self.state.published.append(message)
            self.state.answers.wait(60)
            self._reply(200, {"id": "hwQ2YpKdmg", "event": "message", **message})

    def _reply(self, status: int, body: dict[str, Any]) -> None:
        data = json.dumps(body).encode()
        try:
            self.send_response(status)
            for name, value in self.state.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)
        except OSError:
            pass
