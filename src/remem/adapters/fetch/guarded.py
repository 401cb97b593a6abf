"""Fetch web pages for users, but never from a private network."""

import asyncio
import ssl
import zlib
from collections.abc import AsyncIterable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from email.message import Message
from functools import cached_property
from importlib.metadata import version
from urllib.parse import unquote

import httpcore2
import httpx2

from remem.adapters.fetch import failures
from remem.adapters.fetch.addresses import Guard, parse_ip, validate_url
from remem.adapters.fetch.dial import GuardedDial, Resolve
from remem.adapters.retries import WAITS_S, TransientError, attempts
from remem.core.errors import FetchFailed, Invalid, Unreadable
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


# The file name that a response or its URL suggests; never a path.


MAX_CHARS = 200


def file_name(headers: httpx2.Headers, url: httpx2.URL) -> str | None:
    return _clean_name(_disposition_name(headers)) or _clean_name(
        unquote(url.path.rpartition("/")[2])
    )


def _disposition_name(headers: httpx2.Headers) -> str:
    # The email library reads all notations of the header, including RFC 2231.
    message = Message()
    message["Content-Disposition"] = headers.get("Content-Disposition", "").replace("\n", " ")
    try:
        return message.get_filename("")
    except (LookupError, ValueError):
        return ""


def _clean_name(name: str) -> str | None:
    base = name.replace("\\", "/").rpartition("/")[2]
    printable = "".join(char for char in base if char.isprintable()).strip(" .")
    return printable[-MAX_CHARS:] or None


# Read the body of a response, compressed or not, up to a limit.


GZIP = zlib.MAX_WBITS | 16
# Real files have few members; a million empty ones would only waste time.
MAX_MEMBERS = 1_000


class Incomplete(Exception):
    """The body ended too early."""


async def read_body(pieces: AsyncIterable[bytes], headers: httpx2.Headers, max_bytes: int) -> bytes:
    """Read and decompress a body. Raises Unreadable when it is larger than `max_bytes`, compressed
    or not."""
    _refuse_large(headers, max_bytes)
    decompressor = _decompressor(headers)
    body = bytearray()
    received = 0
    async for piece in pieces:
        received += len(piece)
        body += decompressor.decompress(piece, max_bytes + 1 - len(body)) if decompressor else piece
        if received > max_bytes or len(body) > max_bytes:
            raise _too_large(max_bytes)
    if decompressor and received and not decompressor.eof:
        raise Incomplete
    return bytes(body)


def _refuse_large(headers: httpx2.Headers, max_bytes: int) -> None:
    claimed = headers.get("Content-Length", "")
    if claimed.isdigit() and int(claimed) > max_bytes:
        raise _too_large(max_bytes)


def _decompressor(headers: httpx2.Headers) -> "_Gzip | None":
    encoding = headers.get("Content-Encoding", "identity").strip().lower()
    if encoding in ("", "identity"):
        return None
    if encoding in ("gzip", "x-gzip"):
        return _Gzip()
    raise Unreadable(
        f"The page comes packed as {encoding[:40]!r}, which cannot be unpacked; save it as a file."
    )


class _Gzip:
    """Decompresses gzip members one after another, up to a size per call."""

    def __init__(self) -> None:
        self._member = zlib.decompressobj(GZIP)
        self._members_left = MAX_MEMBERS

    @property
    def eof(self) -> bool:
        return self._member.eof

    def decompress(self, data: bytes, at_most: int) -> bytes:
        output = b""
        try:
            while data and len(output) < at_most:
                if self._member.eof:
                    self._begin_member()
                output += self._member.decompress(data, at_most - len(output))
                data = self._member.unused_data if self._member.eof else b""
        except zlib.error as error:
            raise Unreadable("The page is packed wrongly and cannot be unpacked.") from error
        return output

    def _begin_member(self) -> None:
        self._member = zlib.decompressobj(GZIP)
        self._members_left -= 1
        if not self._members_left:
            raise zlib.error("too many members")


def _too_large(max_bytes: int) -> Unreadable:
    return Unreadable(
        f"The page is larger than {max_bytes / 1_000_000:g} MB; save a part of it as a file.",
        code="page_too_large",
    )
