"""HTTP/1.1 on uvicorn, plus limits it lacks: no client can stall us or fill our memory."""

import json
from enum import Enum, auto
from http import HTTPStatus
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from remem.surfaces.cli.serving.watch import ConnectionWatch

# A body that pauses for less than this counts as still arriving.
_BODY_PAUSE_S = 1.0
_RETRY_AFTER_S = "2"
_TOO_LARGE = "headers_too_large"
# The colon, the space and the end of a header's line.
_HEADER_OVERHEAD = 4


class Phase(Enum):
    """What the connection waits for."""

    FRESH = auto()  # the first byte of a new connection
    IDLE = auto()  # the next request of a connection that had one
    HEAD = auto()  # the rest of a request's head
    BODY = auto()  # the rest of its body
    WORK = auto()  # us: the request has arrived, the reply is not finished
    DRAIN = auto()  # the rest of a body that was answered without being read


class GuardedProtocol(HttpToolsProtocol):
    def __init__(self, *args: Any, watch: ConnectionWatch, **options: Any) -> None:
        super().__init__(*args, **options)
        self._watch, self._limits = watch, watch.limits
        self._phase = Phase.FRESH
        self._since = self._touched_at = watch.clock()
        self._window_bytes = 0
        self._parsed, self._unparsed_bytes, self._head_bytes = 0, 0, 0
        self._unsent_bytes, self._unsent_since = 0, 0.0
        self._closing_since: float | None = None

    # Called by uvicorn

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        if not self._watch.admit(self):
            self._refuse(503, "busy", "Too many connections are open; try again shortly.")

    def connection_lost(self, exc: Exception | None) -> None:
        self._watch.leave(self)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self.transport.is_closing():
            return
        self._touched_at = self._watch.clock()
        parsed_before = self._parsed
        super().data_received(data)
        self._unparsed_bytes = (
            0 if self._parsed != parsed_before else self._unparsed_bytes + len(data)
        )
        if self._unparsed_bytes > self._limits.head_bytes and not self.transport.is_closing():
            self._refuse(431, _TOO_LARGE, self._too_large())

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._head_bytes = 0
        self._enter(Phase.HEAD)

    def on_url(self, url: bytes) -> None:
        super().on_url(url)
        self._head_bytes += len(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        super().on_header(name, value)
        self._head_bytes += len(name) + len(value) + _HEADER_OVERHEAD

    def on_headers_complete(self) -> None:
        if self._head_bytes > self._limits.head_bytes:
            # They arrived at once, before the rest of the request was counted.
            self.app = self._refuse_head
        super().on_headers_complete()
        self._parsed += 1
        self._enter(Phase.BODY)

    def on_body(self, body: bytes) -> None:
        super().on_body(body)
        self._parsed += 1
        self._window_bytes += len(body)

    def on_message_complete(self) -> None:
        super().on_message_complete()
        self._parsed += 1
        self._enter(Phase.IDLE if self._phase is Phase.DRAIN else Phase.WORK)

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if not self.cycle.response_complete:
            return
        if self._phase is Phase.WORK:
            self._enter(Phase.IDLE)
        elif self._phase is Phase.BODY:
            self._enter(Phase.DRAIN)

    # Called by the watch

    @property
    def waiting_since(self) -> float | None:
        if self._phase is Phase.WORK:
            return None
        if self._phase is Phase.BODY:
            is_paused = self._watch.clock() - self._touched_at > _BODY_PAUSE_S
            return self._touched_at if is_paused and not self._is_our_turn() else None
        return self._touched_at

    def drop(self) -> None:
        self.transport.abort()

    def check(self, now: float) -> None:
        if self.transport.is_closing():
            self._check_closing(now)
        elif self._check_unsent(now):
            self._check_phase(now)

    # Timeouts

    def _check_phase(self, now: float) -> None:
        waited_s, limits = now - self._since, self._limits
        match self._phase:
            case Phase.FRESH if waited_s > limits.head_s:
                self.transport.close()
            case Phase.IDLE | Phase.DRAIN if waited_s > limits.idle_s:
                self.transport.close()
            case Phase.HEAD if waited_s > limits.head_s:
                self._refuse(
                    408, "request_timeout", f"The headers took over {limits.head_s:g} s; try again."
                )
            case Phase.BODY if self._is_our_turn():
                self._enter(Phase.BODY)
            case Phase.BODY if waited_s > limits.stall_s:
                self._check_window()

    def _check_window(self) -> None:
        if self._window_bytes >= self._limits.min_bytes:
            self._enter(Phase.BODY)
            return
        self._refuse(
            408,
            "request_timeout",
            f"The body arrived slower than {self._limits.bytes_per_s} bytes a second; try again.",
        )

    def _check_unsent(self, now: float) -> bool:
        """Return whether the client is reading its reply, or there is none to read."""
        size = self.transport.get_write_buffer_size() if self.flow.write_paused else 0
        if size == 0 or size != self._unsent_bytes:
            self._unsent_bytes, self._unsent_since = size, now
        elif now - self._unsent_since > self._limits.stall_s:
            self.transport.abort()
            return False
        return True

    def _check_closing(self, now: float) -> None:
        """Abort a closing connection whose client does not read the rest."""
        if self._closing_since is None:
            self._closing_since = now
        elif now - self._closing_since > self._limits.stall_s:
            self.transport.abort()

    def _is_our_turn(self) -> bool:
        """Whether the client could not send more even if it wanted to."""
        return self.flow.read_paused or self.cycle.waiting_for_100_continue

    def _too_large(self) -> str:
        return f"The headers are larger than {self._limits.head_bytes:,} bytes; send less."

    async def _refuse_head(self, scope: Any, receive: Any, send: Any) -> None:
        body = json.dumps({"error": self._too_large(), "code": _TOO_LARGE}).encode()
        headers = [(b"content-type", b"application/json"), (b"connection", b"close")]
        headers.append((b"content-length", str(len(body)).encode()))
        await send({"type": "http.response.start", "status": 431, "headers": headers})
        await send({"type": "http.response.body", "body": body})

    def _enter(self, phase: Phase) -> None:
        self._phase, self._since, self._window_bytes = phase, self._watch.clock(), 0

    def _refuse(self, status: int, code: str, message: str) -> None:
        cycle = self.cycle
        if cycle is None or cycle.response_complete or not cycle.response_started:
            self.transport.write(_reply(status, code, message))
        self.transport.close()


def _reply(status: int, code: str, message: str) -> bytes:
    body = json.dumps({"error": message, "code": code}).encode()
    lines = [
        f"HTTP/1.1 {status} {HTTPStatus(status).phrase}",
        "content-type: application/json",
        f"content-length: {len(body)}",
        "connection: close",
        *([f"retry-after: {_RETRY_AFTER_S}"] if status == 503 else []),
    ]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body
