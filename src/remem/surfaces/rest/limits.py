"""What every request passes first: an id, a bounded body, an address without NUL bytes."""

import re
import time
from urllib.parse import unquote_to_bytes

import structlog
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from remem.core import telemetry
from remem.core.errors import Invalid, RememError, TooLarge, Unavailable
from remem.core.time import new_id
from remem.surfaces.rest.errors import reply, unexpected

# Where a stranger may send something: little is enough there. The OAuth endpoints stop reading at
# the same size by themselves, and say so in the shape of their standard.
PUBLIC_PATHS = ("/v3/auth/", "/.well-known/", "/health", "/docs", "/openapi.json")
IMPORT_PATHS = ("/v3/import", "/v3/import/preview")
PUBLIC_BODY_BYTES = 20_000
BODIES_AT_ONCE = 20
CLIENT_LEFT = 499
METHODS = frozenset(("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"))

_SANE_ID = re.compile(r"[\w.:-]{1,128}")

log = structlog.get_logger()


class Limits:
    """ASGI middleware; outermost, so that every reply carries its request's id."""

    def __init__(
        self, app: ASGIApp, max_body_bytes: int, max_upload_bytes: int, max_import_bytes: int
    ) -> None:
        self.app = app
        self.max_body_bytes = max_body_bytes
        self.max_upload_bytes = max_upload_bytes
        self.max_import_bytes = max_import_bytes

        # What all requests together may keep in memory while their bodies arrive.
        self._memory = _Memory(BODIES_AT_ONCE * max_body_bytes)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        request_id = _request_id(Headers(scope=scope))
        scope.setdefault("state", {})["request_id"] = request_id
        with telemetry.timed("request", method="other", route="-", status="0") as labels:
            await self._answer(scope, receive, _Exchange(scope, send, request_id, labels))

    async def _answer(self, scope: Scope, receive: Receive, exchange: "_Exchange") -> None:
        headers = Headers(scope=scope)
        body = _Body(receive, self._limit(scope["path"]), self._memory_of(scope["path"]))
        try:
            _check_address(scope)
            body.check_length(headers)
            await self.app(scope, body.receive, exchange.send)
        except RememError as error:
            await reply(error)(scope, receive, exchange.send)
        except ClientDisconnect:
            # The client has disconnected.
            exchange.left()
        except Exception as error:
            if exchange.started:
                raise
            await unexpected(error, exchange.request_id)(scope, receive, exchange.send)
        finally:
            body.release()
            exchange.log()

    def _limit(self, path: str) -> int:
        if path.startswith(PUBLIC_PATHS):
            return PUBLIC_BODY_BYTES
        if path in IMPORT_PATHS:
            return self.max_import_bytes
        return self.max_upload_bytes if path.endswith("/upload") else self.max_body_bytes

    def _memory_of(self, path: str) -> "_Memory | None":
        """None for what goes to the disk as it comes."""
        return None if path in IMPORT_PATHS or path.endswith("/upload") else self._memory


class _Memory:
    """Bytes of bodies that are kept in memory, of all requests together."""

    def __init__(self, limit: int) -> None:
        self._left = limit

    def take(self, count: int) -> None:
        if count > self._left:
            raise Unavailable(
                "Too many large requests are on their way; try again shortly.", code="busy"
            )
        self._left -= count

    def give_back(self, count: int) -> None:
        self._left += count


class _Body:
    """One request's body, bounded, and counted while it is kept."""

    def __init__(self, receive: Receive, limit: int, memory: _Memory | None) -> None:
        self._receive, self._limit, self._memory = receive, limit, memory
        self._taken = self._kept = 0

    def check_length(self, headers: Headers) -> None:
        if int(headers.get("content-length") or 0) > self._limit:
            raise _too_large(self._limit)

    async def receive(self) -> Message:
        message = await self._receive()
        count = len(message.get("body", b""))
        self._taken += count
        if self._taken > self._limit:
            raise _too_large(self._limit)
        if self._memory and count:
            self._memory.take(count)
            self._kept += count
        return message

    def release(self) -> None:
        if self._memory:
            self._memory.give_back(self._kept)


def _too_large(limit: int) -> TooLarge:
    return TooLarge(
        f"The body is larger than {limit:,} bytes; send less at once.", details={"limit": limit}
    )


class _Exchange:
    """One request and its reply: adds the common headers and writes one log line."""

    def __init__(self, scope: Scope, send: Send, request_id: str, labels: dict[str, str]) -> None:
        self._scope, self._send, self.request_id = scope, send, request_id
        # What is measured of it.
        self._labels = labels
        self._started = time.perf_counter()
        self._status = 0

    @property
    def started(self) -> bool:
        """Whether the reply is on its way, so that it can only be cut off, not changed."""
        return self._status != 0

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self._status = message["status"]
            headers = MutableHeaders(scope=message)
            headers["X-Request-Id"] = self.request_id
            headers.setdefault("X-Content-Type-Options", "nosniff")
            headers.setdefault("Cache-Control", "no-store")
            if allowance := self._scope["state"].get("allowance"):
                headers["RateLimit-Limit"] = str(allowance.limit)
                headers["RateLimit-Remaining"] = str(allowance.remaining)
                headers["RateLimit-Reset"] = str(allowance.reset_s)
        await self._send(message)

    def left(self) -> None:
        """The client is gone; the log says so by a number that is no HTTP status."""
        self._status = self._status or CLIENT_LEFT

    def log(self) -> None:
        """Who did what; a stranger has no user, and a path that is no route is not named."""
        took_s = time.perf_counter() - self._started
        method, route = self._scope["method"], getattr(self._scope.get("route"), "path", "-")
        known = method if method in METHODS else "other"
        self._labels |= {"method": known, "route": route, "status": str(self._status)}
        caller = self._scope["state"].get("caller")
        log.info(
            "request",
            method=method,
            route=route,
            status=self._status,
            ms=round(took_s * 1_000, 1),
            request_id=self.request_id,
            user=str(caller.user_id) if caller else None,
            actor=caller.actor if caller else None,
        )


def _request_id(headers: Headers) -> str:
    offered = headers.get("x-request-id", "")
    return offered if _SANE_ID.fullmatch(offered) else str(new_id())


def _check_address(scope: Scope) -> None:
    if "\x00" in scope["path"] or b"\x00" in unquote_to_bytes(scope["query_string"]):
        raise Invalid("address", "contains a NUL byte; remove %00")
