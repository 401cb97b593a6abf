"""The first steps of every request: assign an id, limit the body, refuse NUL bytes in the URL."""

import re
import time
from urllib.parse import unquote_to_bytes

import structlog
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from remem.core import telemetry
from remem.core.deadlines import DELETION, REQUEST, within_deadlines
from remem.core.errors import Invalid, RememError, TooLarge, Unavailable
from remem.core.time import new_id
from remem.surfaces.rest.errors import reply, unexpected_error

# Anyone may send a body to these, so the limit is small. The OAuth endpoints enforce the same size
# themselves, with the error format of their standard.
PUBLIC_PATHS = (
    "/v3/auth/",
    "/.well-known/",
    "/agent.json",
    "/health",
    "/docs",
    "/openapi.json",
)
IMPORT_PATHS = ("/v3/import", "/v3/import/preview")
PUBLIC_BODY_BYTES = 20_000
BODIES_AT_ONCE = 20
CLIENT_DISCONNECTED = 499
RETRY_AFTER_S = "2"
METHODS = frozenset(("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"))

_CREDENTIALS = (b"authorization", b"x-api-key")
_VALID_REQUEST_ID = re.compile(r"[\w.:-]{1,128}")

log = structlog.get_logger()


# The ends of paths whose body is a file.
UPLOADS = ("/upload", "/copy")


class Limits:
    """Outermost ASGI middleware, so that every reply carries its request id."""

    def __init__(
        self, app: ASGIApp, max_body_bytes: int, max_upload_bytes: int, max_import_bytes: int
    ) -> None:
        self.app = app
        self.max_body_bytes = max_body_bytes
        self.max_upload_bytes = max_upload_bytes
        self.max_import_bytes = max_import_bytes

        # Limits the memory that the bodies of all requests together occupy while they arrive.
        self._memory = _MemoryBudget(BODIES_AT_ONCE * max_body_bytes)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        request_id = _request_id(Headers(scope=scope))
        scope.setdefault("state", {})["request_id"] = request_id
        deadlines = DELETION if scope["method"] == "DELETE" else REQUEST
        timed = telemetry.timed("request", method="other", route="-", status="0")
        with within_deadlines(deadlines), timed as labels:
            await self._answer(scope, receive, _Exchange(scope, send, request_id, labels))

    async def _answer(self, scope: Scope, receive: Receive, exchange: "_Exchange") -> None:
        headers = Headers(scope=scope)
        body = _Body(receive, self._limit(scope["path"]), self._memory_budget(scope["path"]))
        try:
            _refuse_nul_bytes(scope)
            _refuse_two_credentials(scope)
            body.check_length(headers)
            await self.app(scope, body.receive, exchange.send)
        except RememError as error:
            await reply(error)(scope, receive, exchange.send)
        except ClientDisconnect:
            exchange.disconnected()
        except Exception as error:
            if exchange.started:
                raise
            await unexpected_error(error, exchange.request_id)(scope, receive, exchange.send)
        finally:
            body.release()
            exchange.log()

    def _limit(self, path: str) -> int:
        if path.startswith(PUBLIC_PATHS):
            return PUBLIC_BODY_BYTES
        if path in IMPORT_PATHS:
            return self.max_import_bytes
        return self.max_upload_bytes if path.endswith(UPLOADS) else self.max_body_bytes

    def _memory_budget(self, path: str) -> "_MemoryBudget | None":
        """None when the body is streamed to disk."""
        return None if path in IMPORT_PATHS or path.endswith(UPLOADS) else self._memory


class _MemoryBudget:
    """The bytes that request bodies may occupy in memory, shared by all requests."""

    def __init__(self, limit: int) -> None:
        self._available = limit

    def take(self, count: int) -> None:
        if count > self._available:
            raise Unavailable(
                "Too many large requests are being received; try again shortly.", code="busy"
            )
        self._available -= count

    def give_back(self, count: int) -> None:
        self._available += count


class _Body:
    """The body of one request, with a size limit and counted against the memory budget."""

    def __init__(self, receive: Receive, limit: int, memory: _MemoryBudget | None) -> None:
        self._receive, self._limit, self._memory = receive, limit, memory
        self._received = self._reserved = 0

    def check_length(self, headers: Headers) -> None:
        if int(headers.get("content-length") or 0) > self._limit:
            raise _too_large(self._limit)

    async def receive(self) -> Message:
        message = await self._receive()
        count = len(message.get("body", b""))
        self._received += count
        if self._received > self._limit:
            raise _too_large(self._limit)
        if self._memory and count:
            self._memory.take(count)
            self._reserved += count
        return message

    def release(self) -> None:
        if self._memory:
            self._memory.give_back(self._reserved)


def _too_large(limit: int) -> TooLarge:
    return TooLarge(
        f"The body is larger than {limit:,} bytes; send less at once.", details={"limit": limit}
    )


class _Exchange:
    """One request and its reply: adds the common headers and writes one log line."""

    def __init__(self, scope: Scope, send: Send, request_id: str, labels: dict[str, str]) -> None:
        self._scope, self._send, self.request_id = scope, send, request_id
        # Labels of the request metric.
        self._labels = labels
        self._started = time.perf_counter()
        self._status = 0

    @property
    def started(self) -> bool:
        """Whether the reply has begun, so that it can only be aborted, not replaced."""
        return self._status != 0

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self._status = message["status"]
            headers = MutableHeaders(scope=message)
            headers["X-Request-Id"] = self.request_id
            headers.setdefault("X-Content-Type-Options", "nosniff")
            headers.setdefault("Cache-Control", "no-store")
            if self._status == 503:
                headers.setdefault("Retry-After", RETRY_AFTER_S)
            if allowance := self._scope["state"].get("allowance"):
                headers["RateLimit-Limit"] = str(allowance.limit)
                headers["RateLimit-Remaining"] = str(allowance.remaining)
                headers["RateLimit-Reset"] = str(allowance.reset_s)
        await self._send(message)

    def disconnected(self) -> None:
        """Note that the client disconnected, with a status that is not an HTTP status."""
        self._status = self._status or CLIENT_DISCONNECTED

    def log(self) -> None:
        """Log who did what. Unauthenticated requests have no user, and a path that matches no route
        is logged as "-"."""
        duration_s = time.perf_counter() - self._started
        method, route = self._scope["method"], getattr(self._scope.get("route"), "path", "-")
        known = method if method in METHODS else "other"
        self._labels |= {"method": known, "route": route, "status": str(self._status)}
        caller = self._scope["state"].get("caller")
        log.info(
            "request",
            method=method,
            route=route,
            status=self._status,
            ms=round(duration_s * 1_000, 1),
            request_id=self.request_id,
            user=str(caller.user_id) if caller else None,
            actor=caller.actor if caller else None,
        )


def _request_id(headers: Headers) -> str:
    request_id = headers.get("x-request-id", "")
    return request_id if _VALID_REQUEST_ID.fullmatch(request_id) else str(new_id())


def _refuse_two_credentials(scope: Scope) -> None:
    """A proxy may check one of them and the server another one."""
    names = [name for name, _ in scope["headers"]]
    for name in _CREDENTIALS:
        if names.count(name) > 1:
            raise Invalid(name.decode(), "send this header once")


def _refuse_nul_bytes(scope: Scope) -> None:
    if "\x00" in scope["path"] or b"\x00" in unquote_to_bytes(scope["query_string"]):
        raise Invalid("address", "contains a NUL byte; remove %00")
