"""A loopback listener that receives the redirect of one authorization."""

import html
import secrets
from http.server import BaseHTTPRequestHandler, HTTPServer
from time import monotonic
from types import TracebackType
from typing import Self
from urllib.parse import parse_qs, urlsplit

from remem.surfaces.cli.signing.sign_in import SignInFailed

PATH = "/callback"
WAIT_S = 300
_PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><title>remem</title>
<body style="font-family: system-ui; margin: 4rem auto; max-width: 30rem">
<h1>{title}</h1><p>{text}</p></body></html>"""


class Callback:
    """The listener, with the two secrets of one authorization."""

    def __init__(self) -> None:
        self.state = secrets.token_urlsafe(32)
        self.verifier = secrets.token_urlsafe(48)
        self.answer: dict[str, str] | None = None
        self._server = HTTPServer(("127.0.0.1", 0), _handler(self))
        # Short, so that Ctrl-C is noticed.
        self._server.timeout = 0.2

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._server.server_close()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}{PATH}"

    def wait(self, issuer: str, names_itself: bool, wait_s: float = WAIT_S) -> str:
        """Wait for the browser's redirect and return the authorization code."""
        deadline = monotonic() + wait_s
        while self.answer is None:
            if monotonic() > deadline:
                raise SignInFailed("The sign-in timed out; run `remem login` again.")
            self._server.handle_request()
        return self._code(self.answer, issuer, names_itself)

    def _code(self, answer: dict[str, str], issuer: str, names_itself: bool) -> str:
        if (names_itself or "iss" in answer) and answer.get("iss") != issuer:
            raise SignInFailed("The answer came from another server; nothing was saved.")
        if "code" not in answer:
            reason = answer.get("error_description") or answer.get("error") or "no code"
            raise SignInFailed(f"The server did not sign you in: {reason[:200]}.")
        return answer["code"]


def _handler(callback: Callback) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            parts = urlsplit(self.path)
            fields = {name: values[0] for name, values in parse_qs(parts.query).items()}
            if parts.path != PATH or not secrets.compare_digest(
                fields.get("state", "").encode(), callback.state.encode()
            ):
                # Any local process can connect; only the server's redirect knows the state.
                self._reply(404, "Not found", "This page is for signing in to remem.")
                return
            callback.answer = fields
            if "code" in fields:
                self._reply(200, "Signed in", "You can close this window.")
            else:
                self._reply(200, "Not signed in", fields.get("error_description", "Try again."))

        def _reply(self, status: int, title: str, text: str) -> None:
            page = _PAGE.format(title=html.escape(title), text=html.escape(text)).encode()
            self.send_response(status)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(page)))
            self.send_header("Referrer-Policy", "no-referrer")
            self.end_headers()
            self.wfile.write(page)

        def log_message(self, format: str, *args: object) -> None:
            """Do not log the URL, which contains the code."""

    return Handler
