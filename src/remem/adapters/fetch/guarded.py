"""Fetch web pages for users, but never from a private network."""

import asyncio
import ssl
from collections.abc import Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from functools import cached_property
from importlib.metadata import version

import httpcore2
import httpx2

from remem.adapters.fetch import failures
from remem.adapters.fetch.addresses import Guard, parse_ip, validate_url
from remem.adapters.fetch.body import Incomplete, read_body
from remem.adapters.fetch.dial import GuardedDial, Resolve
from remem.adapters.fetch.names import file_name
from remem.adapters.retries import WAITS_S, TransientError, attempts
from remem.core.errors import FetchFailed, Invalid
from remem.core.ports import Fetched, PageVersion

TIMEOUT_S = 30.0
MAX_BYTES = 20_000_000
MAX_REDIRECTS = 5
MAX_CONNECTIONS = 20
NOT_MODIFIED = 304
VERSION_CHARS = 300
REDIRECTS = (301, 302, 303, 307, 308)
# Besides 5xx, statuses that may be temporary.
TRANSIENT = (408, 425, 429)
HEADERS = {
    "User-Agent": f"remem/{version('remem')} (+self-hosted; personal memory)",
    "Accept": "text/html,application/xhtml+xml,*/*;q=0.8",
    # The only encoding that body.py decompresses.
    "Accept-Encoding": "gzip",
}


class Transient(TransientError):
    """A failure that may be temporary: retried a few times, then raised as `failure`."""

    def __init__(self, failure: FetchFailed) -> None:
        super().__init__(failure.code)
        self.failure = failure


class GuardedFetcher:
    """Sends GET requests only to addresses that Guard allows, also after redirects.

    `timeout_s` includes redirects and retries. No proxy, cookie or credential of this machine is
    used. `media_type` of the result is the full Content-Type header, with its charset."""

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
        self._guard = Guard(allow_private)
        self._dial, self._tls = GuardedDial(self._guard, resolve, dial), tls

    def check(self, url: str) -> None:
        host = validate_url(url).host
        if parse_ip(host) or host == "localhost" or host.endswith(".localhost"):
            self._guard.check(host, [host])

    async def fetch(self, url: str) -> Fetched:
        page = await self._fetch_in_time(url, {})
        assert page is not None, "only a conditional request is answered by no page"
        return page

    async def fetch_newer(self, url: str, known: PageVersion) -> Fetched | None:
        return await self._fetch_in_time(url, _conditions(known))

    async def _fetch_in_time(self, url: str, conditions: Mapping[str, str]) -> Fetched | None:
        target = validate_url(url)
        try:
            async with asyncio.timeout(self._timeout_s):
                return await self._fetch_with_retries(target, conditions)
        except TimeoutError:
            raise failures.too_slow(target.host, self._timeout_s) from None

    async def close(self) -> None:
        if "_pool" in vars(self):
            await self._pool.aclose()

    @cached_property
    def _pool(self) -> httpcore2.AsyncConnectionPool:
        # Created by the first request, because loading the system's certificates takes longer
        # than everything else that most commands do.
        return httpcore2.AsyncConnectionPool(
            ssl_context=self._tls or httpx2.create_ssl_context(trust_env=False),
            network_backend=self._dial,
            max_connections=MAX_CONNECTIONS,
            # No connection is reused by another request.
            max_keepalive_connections=0,
        )

    async def _fetch_with_retries(
        self, url: httpx2.URL, conditions: Mapping[str, str]
    ) -> Fetched | None:
        try:
            async for attempt in attempts(self._waits_s):
                with attempt:
                    return await self._fetch(url, conditions)
        except Transient as error:
            raise error.failure from error
        raise AssertionError("unreachable")

    async def _fetch(self, url: httpx2.URL, conditions: Mapping[str, str]) -> Fetched | None:
        """Follow redirects here, so that a failure names the host it occurred at."""
        first_netloc = url.netloc
        for hop in range(MAX_REDIRECTS + 1):
            try:
                reply = await self._request(url, conditions if url.netloc == first_netloc else {})
            except Invalid as error:
                raise failures.bad_redirect(error) if hop else error from error
            if not isinstance(reply, str):
                return reply
            url = failures.redirect_target(url, reply)
        raise failures.too_many_redirects(url.host, MAX_REDIRECTS)

    async def _request(
        self, url: httpx2.URL, conditions: Mapping[str, str]
    ) -> Fetched | str | None:
        """Return the page, or the location of a redirect; None if it has not been modified."""
        try:
            async with self._get(url, conditions) as response:
                headers = httpx2.Headers(response.headers)
                if response.status == NOT_MODIFIED and conditions:
                    return None
                if response.status in REDIRECTS and "Location" in headers:
                    return headers["Location"]
                return await self._read_page(url, response, headers)
        except (httpcore2.ProtocolError, Incomplete) as error:
            raise Transient(failures.broken_response(url.host)) from error
        except (httpcore2.NetworkError, httpcore2.TimeoutException) as error:
            failure, is_final = failures.connection_failure(url.host, error)
            raise (failure if is_final else Transient(failure)) from error

    def _get(
        self, url: httpx2.URL, conditions: Mapping[str, str]
    ) -> AbstractAsyncContextManager[httpcore2.Response]:
        target = httpcore2.URL(
            scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=url.raw_path
        )
        headers = [("Host", url.netloc.decode("ascii")), *HEADERS.items(), *conditions.items()]
        return self._pool.stream("GET", target, headers=headers)

    async def _read_page(
        self, url: httpx2.URL, response: httpcore2.Response, headers: httpx2.Headers
    ) -> Fetched:
        if failure := failures.status_failure(url.host, response.status):
            raise Transient(failure) if _is_transient(response.status) else failure
        return Fetched(
            url=str(url),
            data=await read_body(response.aiter_stream(), headers, self._max_bytes),
            media_type=headers.get("Content-Type", "").strip() or None,
            name=file_name(headers, url),
            version=PageVersion(
                _safe_version(headers.get("ETag")), _safe_version(headers.get("Last-Modified"))
            ),
        )


def _conditions(known: PageVersion) -> dict[str, str]:
    headers = {"If-None-Match": known.etag, "If-Modified-Since": known.last_modified}
    return {name: value for name, value in headers.items() if value}


def _safe_version(value: str | None) -> str | None:
    """Return a version header if it is safe to send back in a request."""
    is_short_ascii = value is not None and len(value) <= VERSION_CHARS and value.isascii()
    return value if is_short_ascii and value and value.isprintable() else None


def _is_transient(status: int) -> bool:
    return status in TRANSIENT or status >= 500
