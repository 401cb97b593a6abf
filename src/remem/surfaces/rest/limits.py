"""What every request passes first: an id, a bounded body, an address without NUL bytes."""

import re
import time
from urllib.parse import unquote_to_bytes

import structlog
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from remem.core.errors import Invalid, RememError, TooLarge
from remem.core.time import new_id
from remem.surfaces.rest.errors import reply, unexpected

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

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        request_id = _request_id(headers)
        scope.setdefault("state", {})["request_id"] = request_id
        exchange = _Exchange(scope, send, request_id)
        try:
            _check_address(scope)
            limit = self._limit(scope["path"])
            await self.app(scope, _bounded(headers, receive, limit), exchange.send)
        except RememError as error:
            await reply(error)(scope, receive, exchange.send)
        except Exception as error:
            if exchange.started:
                raise
            await unexpected(error, request_id)(scope, receive, exchange.send)
        finally:
            exchange.log()

    def _limit(self, path: str) -> int:
        if path == "/v3/import":
            return self.max_import_bytes
        return self.max_upload_bytes if path.endswith("/upload") else self.max_body_bytes


def _bounded(headers: Headers, receive: Receive, limit: int) -> Receive:
    if int(headers.get("content-length") or 0) > limit:
        raise _too_large(limit)
    taken = 0

    async def bounded() -> Message:
        nonlocal taken
        message = await receive()
        taken += len(message.get("body", b""))
        if taken > limit:
            raise _too_large(limit)
        return message

    return bounded


def _too_large(limit: int) -> TooLarge:
    return TooLarge(
        f"The body is larger than {limit:,} bytes; send less at once.", details={"limit": limit}
    )


class _Exchange:
    """One request and its reply: adds the common headers and writes one log line."""

    def __init__(self, scope: Scope, send: Send, request_id: str) -> None:
        self._scope, self._send, self._id = scope, send, request_id
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
            headers["X-Request-Id"] = self._id
            headers.setdefault("X-Content-Type-Options", "nosniff")
            headers.setdefault("Cache-Control", "no-store")
            if allowance := self._scope["state"].get("allowance"):
                headers["RateLimit-Limit"] = str(allowance.limit)
                headers["RateLimit-Remaining"] = str(allowance.remaining)
                headers["RateLimit-Reset"] = str(allowance.reset_s)
        await self._send(message)

    def log(self) -> None:
        route = self._scope.get("route")
        log.info(
            "request",
            method=self._scope["method"],
            route=getattr(route, "path", "-"),
            status=self._status,
            ms=round((time.perf_counter() - self._started) * 1_000, 1),
            request_id=self._id,
        )


def _request_id(headers: Headers) -> str:
    offered = headers.get("x-request-id", "")
    return offered if _SANE_ID.fullmatch(offered) else str(new_id())


def _check_address(scope: Scope) -> None:
    if "\x00" in scope["path"] or b"\x00" in unquote_to_bytes(scope["query_string"]):
        raise Invalid("address", "holds a NUL byte; remove %00")
