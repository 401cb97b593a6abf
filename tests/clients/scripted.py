"""An HTTP server on loopback that sends scripted replies, also such as no good server sends."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from typing import Any

from tests.tools.http_server import QuietHandler, served


@dataclass(frozen=True)
class Reply:
    status: int = 200
    body: Any = field(default_factory=dict)
    headers: dict[str, str] = field(default_factory=dict)


CUT = Reply(0)
SILENT = Reply(-1)


@dataclass
class Scripted:
    url: str
    replies: list[Reply]
    requests: list[tuple[str, str, bytes]] = field(default_factory=list)
    stopped: threading.Event = field(default_factory=threading.Event)


@contextmanager
def scripted(*replies: Reply) -> Iterator[Scripted]:
    """Serve each reply once, in order; repeat the last one."""
    script = Scripted("", list(replies))

    class Handler(QuietHandler):
        def _answer(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            script.requests.append((self.command, self.path, body))
            last = len(script.replies) == 1
            _send(self, script.replies[0] if last else script.replies.pop(0), script)

        do_GET = do_POST = do_DELETE = do_PUT = _answer

    with served(Handler) as script.url:
        try:
            yield script
        finally:
            script.stopped.set()


def _send(handler: BaseHTTPRequestHandler, reply: Reply, script: Scripted) -> None:
    handler.close_connection = True
    if reply is SILENT:
        script.stopped.wait()
    if reply in (CUT, SILENT):
        return
    content = json.dumps(reply.body).encode()
    handler.send_response(reply.status)
    for name, value in {"Content-Length": str(len(content)), **reply.headers}.items():
        handler.send_header(name, value)
    handler.end_headers()
    handler.wfile.write(content)
