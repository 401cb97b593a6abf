"""Requests to a service's API: retried where that helps, and failures in our own words."""

import asyncio
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import Any

import httpx2

from remem.core.connectors import AskedTooOften, NeedsAuth
from remem.core.errors import Unavailable
from remem.core.time import now

TIMEOUT_S = 30.0
WAITS_S = (0.0, 1.0, 2.0)
# Where a service says that it was asked too often and not for how long.
PAUSE = timedelta(minutes=1)
MAX_BYTES = 100_000_000


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
    ) -> None:
        self._name, self._said = name, said_when_refused
        self._waits_s = waits_s
        self._http = httpx2.AsyncClient(base_url=base_url, timeout=TIMEOUT_S, trust_env=False)

    async def get(
        self, path: str, headers: Mapping[str, str], params: Mapping[str, Any] | None = None
    ) -> httpx2.Response:
        """Any reply but those that mean a refused credential, a pause or a failure."""
        return await self._send("GET", path, headers, params, None)

    async def post(
        self, path: str, headers: Mapping[str, str], body: Mapping[str, Any]
    ) -> httpx2.Response:
        return await self._send("POST", path, headers, None, body)

    async def close(self) -> None:
        await self._http.aclose()

    async def _send(
        self,
        method: str,
        path: str,
        headers: Mapping[str, str],
        params: Mapping[str, Any] | None,
        body: Mapping[str, Any] | None,
    ) -> httpx2.Response:
        for wait_s in (*self._waits_s, None):
            try:
                reply = await self._http.request(
                    method, path, headers=dict(headers), params=params, json=body
                )
            except httpx2.TransportError as error:
                failure = Unavailable(f"{self._name} cannot be reached now; it is tried again.")
                if wait_s is None:
                    raise failure from error
            else:
                if reply.status_code < 500:
                    return self._checked(reply)
                if wait_s is None:
                    raise Unavailable(
                        f"{self._name} answers with an error ({reply.status_code}); it is tried"
                        " again."
                    )
            await asyncio.sleep(wait_s)
        raise AssertionError("the last attempt returns or raises")

    def _checked(self, reply: httpx2.Response) -> httpx2.Response:
        if reply.status_code == 401:
            raise NeedsAuth(self._said)
        if pause := pause_until(reply):
            raise AskedTooOften(pause)
        return reply


def pause_until(reply: httpx2.Response) -> datetime | None:
    """Until when a service wants to be left alone: it says so by a status and its headers."""
    spent = reply.headers.get("x-ratelimit-remaining") == "0"
    if reply.status_code not in (403, 429) or (reply.status_code == 403 and not _is_limit(reply)):
        return None
    if moment := _retry_after(reply.headers.get("retry-after")):
        return moment
    reset = reply.headers.get("x-ratelimit-reset", "")
    if spent and reset.isdigit():
        return datetime.fromtimestamp(int(reset), UTC)
    return now() + PAUSE


def _is_limit(reply: httpx2.Response) -> bool:
    spent = reply.headers.get("x-ratelimit-remaining") == "0"
    return spent or "retry-after" in reply.headers


def _retry_after(value: str | None) -> datetime | None:
    """Seconds, or a date."""
    if not value:
        return None
    if value.strip().isdigit():
        return now() + timedelta(seconds=min(int(value), 86_400))
    try:
        return parsedate_to_datetime(value).astimezone(UTC)
    except (TypeError, ValueError):
        return None
