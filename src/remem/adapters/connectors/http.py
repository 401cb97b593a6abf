"""Send requests to a service's API, with retries, and translate failures into remem's errors."""

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from functools import cached_property
from pathlib import Path
from typing import Any

import httpx2

from remem.adapters.fetch.addresses import Guard
from remem.adapters.fetch.transport import guarded_transport
from remem.adapters.replies import ReplyTooLarge, read_body
from remem.adapters.retries import TransientError, attempts
from remem.core.connectors.errors import AskedTooOften, NeedsAuth
from remem.core.errors import TooLarge, Unavailable
from remem.core.time import now

TIMEOUT_S = 30.0
WAITS_S = (0.0, 1.0, 2.0)
# When a service reports too many requests but not how long to wait.
PAUSE = timedelta(minutes=1)
# Limits for the pause that a service asks for.
MIN_PAUSE, MAX_PAUSE = timedelta(seconds=1), timedelta(days=1)
# Limit for replies kept in memory. Files are streamed to disk.
REPLY_BYTES = 20_000_000
ERROR_BODY_BYTES = 100_000
# Besides 429, statuses that ask for a pause when a header says so.
PAUSE_STATUSES = (403, 503, 529)
# Includes a reply with a broken content encoding, and an invalid URL.
REQUEST_ERRORS = (httpx2.RequestError, httpx2.InvalidURL)
REDIRECTS = (301, 302, 303, 307, 308)


class StaleCursor(Exception):
    """The service no longer accepts a cursor of a list."""


class _FailedAttempt(TransientError):
    """Raised by an attempt that can be repeated; `failure` is raised when no attempt is left."""

    def __init__(self, failure: Unavailable) -> None:
        super().__init__(str(failure))
        self.failure = failure


class ServiceApi:
    """The API of one service at `base_url`. `refused_message` tells a person what to do when the
    credential is no longer accepted. Redirects are not followed, so that a credential is sent to
    one host only."""

    def __init__(
        self,
        base_url: str,
        name: str,
        refused_message: str,
        *,
        waits_s: Sequence[float] = WAITS_S,
        gap_s: float = 0.0,
        transport: Callable[[], httpx2.AsyncBaseTransport] | None = None,
    ) -> None:
        self._name, self._refused_message = name, refused_message
        self._waits_s = waits_s
        self._gap_s, self._free_at_s = gap_s, 0.0
        self._base_url, self._transport = base_url, transport

    @cached_property
    def _http(self) -> httpx2.AsyncClient:
        # Created by the first request, because loading the system's certificates takes a while.
        return httpx2.AsyncClient(
            base_url=self._base_url,
            timeout=TIMEOUT_S,
            trust_env=False,
            transport=self._transport() if self._transport else None,
        )

    @cached_property
    def _external_http(self) -> httpx2.AsyncClient:
        """Client for URLs taken from a reply; it does not connect to private addresses."""
        return httpx2.AsyncClient(
            timeout=TIMEOUT_S, trust_env=False, transport=guarded_transport(Guard())
        )

    async def get(
        self, path: str, headers: Mapping[str, str], params: Mapping[str, Any] | None = None
    ) -> httpx2.Response:
        """Return the reply; raise for a refused credential, a requested pause or a failure."""
        return await self._send("GET", path, headers, params, None)

    async def post(
        self, path: str, headers: Mapping[str, str], body: Mapping[str, Any]
    ) -> httpx2.Response:
        return await self._send("POST", path, headers, None, body)

    async def post_form(self, path: str, form: Mapping[str, str]) -> httpx2.Response:
        """Post a form to a token endpoint. Refusals (400 or 401) are returned to the caller."""
        return await self._send("POST", path, {}, None, None, form)

    async def download(
        self,
        path: str,
        headers: Mapping[str, str],
        params: Mapping[str, Any] | None,
        target: Path,
        max_bytes: int,
    ) -> httpx2.Response:
        """Stream the body of a reply to `target`. One redirect is followed, to https or the service
        itself, without the credential and never to a private address. Raises TooLarge beyond
        `max_bytes`."""
        reply = await self._to_file(self._http, path, headers, params, target, max_bytes)
        if reply.status_code not in REDIRECTS:
            return self._check_status(reply)
        location = reply.headers.get("location", "")
        if location.startswith(str(self._http.base_url)):
            client = self._http
        elif location.startswith("https://"):
            client = self._external_http
        else:
            raise Unavailable(f"{self._name} sends us to an address that is not https.")
        return self._check_status(
            await self._to_file(client, location, {}, None, target, max_bytes)
        )

    def json(self, reply: httpx2.Response) -> Any:
        """Decode the body of a successful reply."""
        if reply.status_code != 200:
            raise Unavailable(
                f"{self._name} answers {reply.status_code} where it should not; it is tried again."
            )
        try:
            return reply.json()
        except (ValueError, RecursionError) as error:
            raise Unavailable(
                f"{self._name} answers with something that is not JSON; it is tried again."
            ) from error

    async def close(self) -> None:
        for name in ("_http", "_external_http"):
            if name in vars(self):
                await vars(self)[name].aclose()

    async def _send(
        self,
        method: str,
        path: str,
        headers: Mapping[str, str],
        params: Mapping[str, Any] | None,
        body: Mapping[str, Any] | None,
        form: Mapping[str, str] | None = None,
    ) -> httpx2.Response:
        request = self._http.build_request(
            method, path, headers=dict(headers), params=params, json=body, data=form
        )
        reply = await self._send_with_retries(request)
        return reply if form is not None else self._check_status(reply)

    async def _send_with_retries(self, request: httpx2.Request) -> httpx2.Response:
        try:
            async for attempt in attempts(self._waits_s):
                with attempt:
                    return await self._attempt(request)
        except _FailedAttempt as error:
            raise error.failure from error
        raise AssertionError("unreachable")

    async def _attempt(self, request: httpx2.Request) -> httpx2.Response:
        try:
            reply = await self._send_once(request)
        except REQUEST_ERRORS as error:
            failure = Unavailable(f"{self._name} cannot be reached now; it is tried again.")
            raise _FailedAttempt(failure) from error
        if reply.status_code >= 500 and not pause_until(reply):
            raise _FailedAttempt(self._server_error(reply))
        return reply

    async def _send_once(self, request: httpx2.Request) -> httpx2.Response:
        """Send a request once and read the body, up to a limit."""
        await self._wait_for_turn()
        reply = await self._http.send(request, stream=True)
        try:
            data = await read_body(reply, REPLY_BYTES)
        except ReplyTooLarge:
            message = (
                f"{self._name} answers with more than {REPLY_BYTES // 10**6} MB; it is left out."
            )
            raise TooLarge(message) from None
        return _with_body(reply, data)

    async def _to_file(
        self,
        client: httpx2.AsyncClient,
        path: str,
        headers: Mapping[str, str],
        params: Mapping[str, Any] | None,
        target: Path,
        max_bytes: int,
    ) -> httpx2.Response:
        await self._wait_for_turn()
        size = 0
        try:
            async with client.stream("GET", path, headers=dict(headers), params=params) as reply:
                limit = max_bytes if reply.status_code == 200 else ERROR_BODY_BYTES
                with target.open("wb") as file:
                    async for part in reply.aiter_bytes():
                        size += len(part)
                        if size > limit:
                            raise TooLarge(f"it is larger than {max_bytes / 1e6:,.0f} MB")
                        await asyncio.to_thread(file.write, part)
        except REQUEST_ERRORS as error:
            raise Unavailable(f"{self._name} cannot be reached now; it is tried again.") from error
        if reply.status_code >= 500 and not pause_until(reply):
            raise self._server_error(reply)
        failed = reply.status_code != 200
        return _with_body(reply, await asyncio.to_thread(target.read_bytes) if failed else b"")

    async def _wait_for_turn(self) -> None:
        """Wait until `gap_s` has passed since the last request, for services that limit the number
        of requests per second."""
        current_s = time.monotonic()
        turn_s = max(current_s, self._free_at_s)
        self._free_at_s = turn_s + self._gap_s
        if turn_s > current_s:
            await asyncio.sleep(turn_s - current_s)

    def _server_error(self, reply: httpx2.Response) -> Unavailable:
        return Unavailable(
            f"{self._name} answers with an error ({reply.status_code}); it is tried again."
        )

    def _check_status(self, reply: httpx2.Response) -> httpx2.Response:
        if reply.status_code == 401:
            raise NeedsAuth(self._refused_message)
        if pause := pause_until(reply):
            raise AskedTooOften(pause)
        return reply


def server_date(reply: httpx2.Response) -> datetime:
    """Return the time by the service's clock, which may differ from ours, but never a later one."""
    try:
        return min(parsedate_to_datetime(reply.headers["date"]).astimezone(UTC), now())
    except (KeyError, TypeError, ValueError, OverflowError):
        return now()


def pause_until(reply: httpx2.Response) -> datetime | None:
    """Return when the service accepts requests again, by the status and headers of its reply; None
    when it asks for no pause."""
    spent = reply.headers.get("x-ratelimit-remaining") == "0"
    if reply.status_code != 429 and not (
        reply.status_code in PAUSE_STATUSES and _is_rate_limit(reply)
    ):
        return None
    if moment := _retry_after(reply.headers.get("retry-after")):
        return _clamp_pause(moment)
    reset = reply.headers.get("x-ratelimit-reset", "")
    # X uses another name for this header.
    reset = reply.headers.get("x-rate-limit-reset", reset)
    if (spent or reply.status_code == 429) and (second := _parse_number(reset)) is not None:
        return _clamp_pause(datetime.fromtimestamp(min(second, int(time.time()) + 86_400), UTC))
    return now() + PAUSE


def _clamp_pause(moment: datetime) -> datetime:
    return max(now() + MIN_PAUSE, min(moment, now() + MAX_PAUSE))


def _parse_number(text: str) -> int | None:
    """Parse a non-negative integer; one with too many digits for a time becomes a very large
    number."""
    text = text.strip()
    if not (text.isascii() and text.isdigit()):
        return None
    return int(text) if len(text) <= 12 else 10**12


def _with_body(reply: httpx2.Response, data: bytes) -> httpx2.Response:
    dropped = ("content-encoding", "content-length", "transfer-encoding")
    headers = [(name, value) for name, value in reply.headers.items() if name not in dropped]
    return httpx2.Response(reply.status_code, headers=headers, content=data, request=reply.request)


def _is_rate_limit(reply: httpx2.Response) -> bool:
    spent = reply.headers.get("x-ratelimit-remaining") == "0"
    return spent or "retry-after" in reply.headers


def _retry_after(value: str | None) -> datetime | None:
    """Parse a Retry-After header: seconds or a date."""
    if not value:
        return None
    if (seconds := _parse_number(value)) is not None:
        return now() + timedelta(seconds=min(seconds, 86_400))
    try:
        return parsedate_to_datetime(value).astimezone(UTC)
    except (TypeError, ValueError, OverflowError):
        return None
