"""A stateful fake of a service, on loopback. Every request and every reply is checked against the
service's published contract."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler
from typing import Any, TypeVar
from urllib.parse import parse_qsl, unquote, urlsplit

from tests.tools.http_server import QuietHandler, served
from tests.tools.operations import OperationContract


@dataclass(frozen=True)
class Call:
    method: str
    path: str
    query: dict[str, str]
    headers: dict[str, str]
    body: Any = None

    @property
    def token(self) -> str:
        return self.headers.get("authorization", "").removeprefix("Bearer ")


@dataclass(frozen=True)
class Reply:
    body: Any = None
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)


@dataclass
class FakeService:
    """`limit` is how many requests it answers before it asks for a pause of `pause_s`; `token` is
    the one it accepts, None when it was revoked; `violations` are breaches of the contract."""

    contract_name: str = ""
    url: str = ""
    token: str | None = None
    limit: int | None = None
    pause_s: int = 1_200
    clock: datetime = datetime(2026, 1, 1, tzinfo=UTC)
    calls: list[Call] = field(default_factory=list)
    violations: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.contract = OperationContract(self.contract_name)

    def tick(self) -> str:
        self.clock += timedelta(minutes=10)
        return self.clock.strftime("%Y-%m-%dT%H:%M:%S.000Z")

    def answer(self, call: Call) -> Reply:
        self.calls.append(call)
        if self.token is None or call.token != self.token:
            return self.refused()
        if self.limit is not None:
            self.limit -= 1
            if self.limit < 0:
                return self.paused()
        return self.find(call)

    def refused(self) -> Reply:
        return Reply({}, 401)

    def paused(self) -> Reply:
        return Reply({}, 429, {"Retry-After": str(self.pause_s)})

    def find(self, call: Call) -> Reply:
        raise NotImplementedError

    def answer_checked(self, call: Call) -> Reply:
        """The reply to a call, after both were checked against the contract."""
        reply = self.answer(call)
        try:
            operation = self.contract.operation(call.method, call.path)
            self.contract.check_request(operation, call.query, call.body)
            if reply.status == 200 and not isinstance(reply.body, bytes):
                self.contract.check_reply(operation, reply.body)
        except Exception as error:
            self.violations.append(f"{call.method} {call.path} {call.query}: {error}"[:2_000])
        return reply


Fake = TypeVar("Fake", bound=FakeService)


@contextmanager
def running(fake: Fake) -> Iterator[Fake]:
    """Serve the fake on a free port. A breach of the contract fails the test at the end."""
    with served(_handler(fake)) as fake.url:
        yield fake
    assert not fake.violations, "\n".join(fake.violations)


def _handler(fake: FakeService) -> type[BaseHTTPRequestHandler]:
    class Handler(QuietHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            parts = urlsplit(self.path)
            data = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            headers = {name.lower(): value for name, value in self.headers.items()}
            query = dict(parse_qsl(parts.query, keep_blank_values=True))
            headers[":target"] = self.path
            body = _parse_body(data, headers.get("content-type", ""))
            reply = fake.answer_checked(
                Call(self.command, unquote(parts.path), query, headers, body)
            )
            content = (
                reply.body if isinstance(reply.body, bytes) else json.dumps(reply.body).encode()
            )
            self.send_response_only(reply.status)
            self.send_header("Date", fake.clock.strftime("%a, %d %b %Y %H:%M:%S GMT"))
            for name, value in reply.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        do_POST = do_GET

    return Handler


def _parse_body(data: bytes, content_type: str) -> Any:
    if not data:
        return None
    if "json" in content_type:
        return json.loads(data)
    return dict(parse_qsl(data.decode(), keep_blank_values=True))
