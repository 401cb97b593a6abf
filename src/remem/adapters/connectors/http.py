"""Requests to a service's API: retried where that helps, and failures in our own words."""

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
from remem.adapters.retries import Passing, attempts
from remem.core.connectors.errors import AskedTooOften, NeedsAuth
from remem.core.errors import TooLarge, Unavailable
from remem.core.time import now

TIMEOUT_S = 30.0
WAITS_S = (0.0, 1.0, 2.0)
# Where a service says that it was asked too often and not for how long.
PAUSE = timedelta(minutes=1)
# Whatever a service says, it is asked again after a second at the earliest and a day at the latest.
LEAST_PAUSE, MOST_PAUSE = timedelta(seconds=1), timedelta(days=1)
# Of a reply that is kept in memory. Files are written to disk as they come.
REPLY_BYTES = 20_000_000
FAILED_BYTES = 100_000
# Besides 429, the answers that ask for a pause where a header says so.
PAUSES = (403, 503, 529)
# Also an answer that is packed wrongly, and an address that is none.
BROKEN = (httpx2.RequestError, httpx2.InvalidURL)
REDIRECTS = (301, 302, 303, 307, 308)


class StalePlace(Exception):
    """A place in a list that the service no longer knows."""


class _FailedAttempt(Passing):
    """What is raised when no attempt is left."""

    def __init__(self, failure: Unavailable) -> None:
        super().__init__(str(failure))
        self.failure = failure


class ServiceApi:
    """One service's API at `base_url`. `said_when_refused` is what a person does when the
    credential is no longer taken. Redirects are not followed: a credential goes to one host."""

    def __init__(
        self,
        base_url: str,
        name: str,
        said_when_refused: str,
        *,
        waits_s: Sequence[float] = WAITS_S,
        gap_s: float = 0.0,
        transport: Callable[[], httpx2.AsyncBaseTransport] | None = None,
    ) -> None:
        self._name, self._said = name, said_when_refused
        self._waits_s = waits_s
        self._gap_s, self._free_at_s = gap_s, 0.0
        self._base_url, self._transport = base_url, transport

    @cached_property
    def _http(self) -> httpx2.AsyncClient:
        # Made by the first request: to read the machine's certificates takes a while.
        return httpx2.AsyncClient(
            base_url=self._base_url,
            timeout=TIMEOUT_S,
            trust_env=False,
            transport=self._transport() if self._transport else None,
        )

    @cached_property
    def _elsewhere(self) -> httpx2.AsyncClient:
        """For addresses that a reply names: those of the own network are not dialled."""
        return httpx2.AsyncClient(
            timeout=TIMEOUT_S, trust_env=False, transport=guarded_transport(Guard())
        )

    async def get(
        self, path: str, headers: Mapping[str, str], params: Mapping[str, Any] | None = None
    ) -> httpx2.Response:
        """Any reply but those that mean a refused credential, a pause or a failure."""
        return await self._send("GET", path, headers, params, None)

    async def post(
        self, path: str, headers: Mapping[str, str], body: Mapping[str, Any]
    ) -> httpx2.Response:
        return await self._send("POST", path, headers, None, body)

    async def post_form(self, path: str, form: Mapping[str, str]) -> httpx2.Response:
        """As token endpoints want it; here a refusal is a 400 or 401 that the caller reads."""
        return await self._send("POST", path, {}, None, None, form)

    async def download(
        self,
        path: str,
        headers: Mapping[str, str],
        params: Mapping[str, Any] | None,
        target: Path,
        max_bytes: int,
    ) -> httpx2.Response:
        """A reply whose body is written to `target` as it comes. One redirect is followed, to
        https or the service itself, without the credential and never to a private address. Raises
        TooLarge beyond `max_bytes`."""
        reply = await self._to_file(self._http, path, headers, params, target, max_bytes)
        if reply.status_code not in REDIRECTS:
            return self._checked(reply)
        there = reply.headers.get("location", "")
        if there.startswith(str(self._http.base_url)):
            client = self._http
        elif there.startswith("https://"):
            client = self._elsewhere
        else:
            raise Unavailable(f"{self._name} sends us to an address that is not https.")
        return self._checked(await self._to_file(client, there, {}, None, target, max_bytes))

    def json(self, reply: httpx2.Response) -> Any:
        """What a successful reply says."""
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
        for name in ("_http", "_elsewhere"):
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
        reply = await self._answer(request)
        return reply if form is not None else self._checked(reply)

    async def _answer(self, request: httpx2.Request) -> httpx2.Response:
        try:
            async for attempt in attempts(self._waits_s):
                with attempt:
                    return await self._attempt(request)
        except _FailedAttempt as error:
            raise error.failure from error
        raise AssertionError("unreachable")

    async def _attempt(self, request: httpx2.Request) -> httpx2.Response:
        try:
            reply = await self._reply(request)
        except BROKEN as error:
            failure = Unavailable(f"{self._name} cannot be reached now; it is tried again.")
            raise _FailedAttempt(failure) from error
        if reply.status_code >= 500 and not pause_until(reply):
            raise _FailedAttempt(self._failed(reply))
        return reply

    async def _reply(self, request: httpx2.Request) -> httpx2.Response:
        """With its body, up to a limit."""
        await self._wait_for_turn()
        reply = await self._http.send(request, stream=True)
        try:
            data = await read_body(reply, REPLY_BYTES)
        except ReplyTooLarge:
            said = f"{self._name} answers with more than {REPLY_BYTES // 10**6} MB; it is left out."
            raise TooLarge(said) from None
        return _whole(reply, data)

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
                limit = max_bytes if reply.status_code == 200 else FAILED_BYTES
                with target.open("wb") as file:
                    async for part in reply.aiter_bytes():
                        size += len(part)
                        if size > limit:
                            raise TooLarge(f"it is larger than {max_bytes / 1e6:,.0f} MB")
                        await asyncio.to_thread(file.write, part)
        except BROKEN as error:
            raise Unavailable(f"{self._name} cannot be reached now; it is tried again.") from error
        if reply.status_code >= 500 and not pause_until(reply):
            raise self._failed(reply)
        failed = reply.status_code != 200
        return _whole(reply, await asyncio.to_thread(target.read_bytes) if failed else b"")

    async def _wait_for_turn(self) -> None:
        """Requests are `gap_s` apart, where a service allows only so many a second."""
        current_s = time.monotonic()
        turn_s = max(current_s, self._free_at_s)
        self._free_at_s = turn_s + self._gap_s
        if turn_s > current_s:
            await asyncio.sleep(turn_s - current_s)

    def _failed(self, reply: httpx2.Response) -> Unavailable:
        return Unavailable(
            f"{self._name} answers with an error ({reply.status_code}); it is tried again."
        )

    def _checked(self, reply: httpx2.Response) -> httpx2.Response:
        if reply.status_code == 401:
            raise NeedsAuth(self._said)
        if pause := pause_until(reply):
            raise AskedTooOften(pause)
        return reply


def date_of(reply: httpx2.Response) -> datetime:
    """By the service's clock, which need not be ours; never later than ours."""
    try:
        return min(parsedate_to_datetime(reply.headers["date"]).astimezone(UTC), now())
    except (KeyError, TypeError, ValueError, OverflowError):
        return now()


def pause_until(reply: httpx2.Response) -> datetime | None:
    """Until when a service wants to be left alone: it says so by a status and its headers."""
    spent = reply.headers.get("x-ratelimit-remaining") == "0"
    if reply.status_code != 429 and not (reply.status_code in PAUSES and _is_limit(reply)):
        return None
    if moment := _retry_after(reply.headers.get("retry-after")):
        return _bounded(moment)
    reset = reply.headers.get("x-ratelimit-reset", "")
    # X writes it in another way.
    reset = reply.headers.get("x-rate-limit-reset", reset)
    if (spent or reply.status_code == 429) and (second := _number(reset)) is not None:
        return _bounded(datetime.fromtimestamp(min(second, int(time.time()) + 86_400), UTC))
    return now() + PAUSE


def _bounded(moment: datetime) -> datetime:
    return max(now() + LEAST_PAUSE, min(moment, now() + MOST_PAUSE))


def _number(text: str) -> int | None:
    """One that is written too long to be a time is larger than any."""
    text = text.strip()
    if not (text.isascii() and text.isdigit()):
        return None
    return int(text) if len(text) <= 12 else 10**12


def _whole(reply: httpx2.Response, data: bytes) -> httpx2.Response:
    packed = ("content-encoding", "content-length", "transfer-encoding")
    headers = [(name, value) for name, value in reply.headers.items() if name not in packed]
    return httpx2.Response(reply.status_code, headers=headers, content=data, request=reply.request)


def _is_limit(reply: httpx2.Response) -> bool:
    spent = reply.headers.get("x-ratelimit-remaining") == "0"
    return spent or "retry-after" in reply.headers


def _retry_after(value: str | None) -> datetime | None:
    """Seconds, or a date."""
    if not value:
        return None
    if (seconds := _number(value)) is not None:
        return now() + timedelta(seconds=min(seconds, 86_400))
    try:
        return parsedate_to_datetime(value).astimezone(UTC)
    except (TypeError, ValueError, OverflowError):
        return None
