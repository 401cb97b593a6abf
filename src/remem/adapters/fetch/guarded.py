"""Fetches what stands at a user's URL, and never reaches into a private network."""

import asyncio
import ssl
from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from importlib.metadata import version

import httpcore2
import httpx2

from remem.adapters.fetch.addresses import Guard, visitable
from remem.adapters.fetch.body import Incomplete, take
from remem.adapters.fetch.dial import GuardedDial, NameNotFound, Resolve
from remem.adapters.fetch.names import file_name
from remem.core.errors import Unavailable, Unreadable
from remem.core.ports import Fetched

TIMEOUT_S = 30.0
MAX_BYTES = 20_000_000
MAX_REDIRECTS = 5
WAITS_S = (0.0, 1.0, 2.0)
MAX_CONNECTIONS = 20
REDIRECTS = (301, 302, 303, 307, 308)
# Answers that may be another in a moment.
PASSING = (408, 425, 429)
HEADERS = {
    "User-Agent": f"remem/{version('remem')} (+self-hosted; personal memory)",
    "Accept": "text/html,application/xhtml+xml,*/*;q=0.8",
    # The one packing that we unpack ourselves, up to a limit.
    "Accept-Encoding": "gzip",
}


class Passing(Exception):
    """A failure that may pass, in words that end a sentence."""


class GuardedFetcher:
    """GET over checked addresses only, by the rules of Guard, again at every redirect.

    `timeout_s` is for all of it, with redirects and retries. No proxy, cookie or credential of
    this machine is used. `media_type` of what is fetched is the whole Content-Type header, with
    its charset."""

    def __init__(
        self,
        *,
        timeout_s: float = TIMEOUT_S,
        max_bytes: int = MAX_BYTES,
        allow_private: Sequence[str] = (),
        waits_s: Sequence[float] = WAITS_S,
        resolve: Resolve | None = None,
        dial: httpcore2.AsyncNetworkBackend | None = None,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        self._timeout_s = timeout_s
        self._max_bytes = max_bytes
        self._waits_s = waits_s
        self._pool = httpcore2.AsyncConnectionPool(
            ssl_context=tls or httpx2.create_ssl_context(trust_env=False),
            network_backend=GuardedDial(Guard(allow_private), resolve, dial),
            max_connections=MAX_CONNECTIONS,
            # Nothing of one visit is left for the next.
            max_keepalive_connections=0,
        )

    async def fetch(self, url: str) -> Fetched:
        at = visitable(url)
        try:
            async with asyncio.timeout(self._timeout_s):
                return await self._fetch_patiently(at)
        except TimeoutError:
            raise Unavailable(
                f"{at.host} did not answer in full within {self._timeout_s:g} s; try again later."
            ) from None

    async def close(self) -> None:
        await self._pool.aclose()

    async def _fetch_patiently(self, url: httpx2.URL) -> Fetched:
        for wait_s in self._waits_s:
            try:
                return await self._fetch(url)
            except Passing:
                await asyncio.sleep(wait_s)
        try:
            return await self._fetch(url)
        except Passing as error:
            raise Unavailable(f"{url.host} {error}; try again later.") from error

    async def _fetch(self, url: httpx2.URL) -> Fetched:
        try:
            return await self._follow(url)
        except NameNotFound as error:
            raise Passing("was not found (check the address for typing errors)") from error
        except httpcore2.ConnectError as error:
            if _is_distrust(error):
                raise Unreadable(f"{url.host} has no valid certificate.") from error
            raise Passing("could not be reached") from error
        except (httpcore2.NetworkError, httpcore2.TimeoutException) as error:
            raise Passing("broke off") from error
        except (httpcore2.ProtocolError, Incomplete) as error:
            raise Passing("gave a broken answer") from error

    async def _follow(self, url: httpx2.URL) -> Fetched:
        for _ in range(MAX_REDIRECTS + 1):
            async with self._get(url) as response:
                headers = httpx2.Headers(response.headers)
                if response.status not in REDIRECTS or "Location" not in headers:
                    return await self._take(url, response, headers)
            url = visitable(_joined(url, headers["Location"]))
        raise Unreadable(f"{url.host} sends us on more than {MAX_REDIRECTS} times.")

    def _get(self, url: httpx2.URL) -> AbstractAsyncContextManager[httpcore2.Response]:
        target = httpcore2.URL(
            scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=url.raw_path
        )
        headers = [("Host", url.netloc.decode("ascii")), *HEADERS.items()]
        return self._pool.stream("GET", target, headers=headers)

    async def _take(
        self, url: httpx2.URL, response: httpcore2.Response, headers: httpx2.Headers
    ) -> Fetched:
        _refuse_failure(url.host, response.status)
        return Fetched(
            url=str(url),
            data=await take(response.aiter_stream(), headers, self._max_bytes),
            media_type=headers.get("Content-Type", "").strip() or None,
            name=file_name(headers, url),
        )


def _is_distrust(error: BaseException | None) -> bool:
    while error and not isinstance(error, ssl.SSLCertVerificationError):
        error = error.__cause__ or error.__context__
    return error is not None


def _joined(url: httpx2.URL, location: str) -> httpx2.URL | str:
    try:
        return url.join(location)
    except httpx2.InvalidURL:
        return location


def _refuse_failure(host: str, status: int) -> None:
    if status in PASSING or status >= 500:
        raise Passing(f"cannot answer now (status {status})")
    if status in (401, 402, 403, 407):
        raise Unreadable(f"{host} does not show this page to everybody (status {status}).")
    if status in (404, 410):
        raise Unreadable(f"{host} has no such page (status {status}).")
    if not 200 <= status < 300 or status in (204, 205):
        raise Unreadable(f"{host} gave no page (status {status}).")
