"""Requests to a server, or to remem in this process; retried when that is harmless."""

import asyncio
import importlib
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import IO, Any, TypeAlias

import httpx2

from remem.client.failures import Invalid, RememFailure, Unreachable, failure
from remem.client.local_server import find_server, owner_key
from remem.client.retries import NOT_SENT, Retries
from remem.core.errors import Invalid as NotAllowed
from remem.core.validate import NEW, check_values

# A key, or a function that returns the currently valid one.
Key: TypeAlias = str | Callable[[], Awaitable[str]]


class Wire:
    """One connection to one memory, opened on first use."""

    def __init__(
        self,
        url: str | None,
        key: Key | None,
        timeout_s: float,
        patience_s: float | None,
        transport: httpx2.AsyncBaseTransport | None = None,
    ) -> None:
        self._url, self._key, self._transport = url, key, transport
        self._timeout_s, self._patience_s = timeout_s, patience_s
        self._embedded: Any = None
        self._by_socket = False
        self._http: httpx2.AsyncClient | None = None
        self._opening = asyncio.Lock()

    async def open(self) -> None:
        async with self._opening:
            if self._http is None:
                self._http = await self._connect()

    async def _connect(self) -> httpx2.AsyncClient:
        transport, url, key = self._transport, self._url, self._key
        if url is None:
            transport, url, default_key = self._find_server() or await self._start_embedded()
            key = key or default_key
        try:
            return self._http_client(url, key, transport)
        except httpx2.InvalidURL as error:
            raise self._unreachable(error) from error

    def _http_client(
        self, url: str, key: Key | None, transport: httpx2.AsyncBaseTransport | None
    ) -> httpx2.AsyncClient:
        return httpx2.AsyncClient(
            base_url=url,
            auth=_KeyAuth(key) if key else None,
            transport=transport,
            timeout=self._timeout_s,
            # Without TLS there is nothing to verify, and loading certificates is slow.
            verify=not url.startswith("http://"),
        )

    def _find_server(self) -> tuple[httpx2.AsyncHTTPTransport, str, str | None] | None:
        """Return the server that runs on this machine's store, with the owner's key for it."""
        server = find_server()
        self._by_socket = server is not None
        if server is None:
            return None
        return httpx2.AsyncHTTPTransport(verify=False, uds=server.socket), server.url, owner_key()

    async def _start_embedded(self) -> tuple[httpx2.AsyncBaseTransport, str, str | None]:
        # The one import upwards: without a server, the client embeds one.
        self._embedded = importlib.import_module("remem.embedded").Embedded()
        transport, default_key = await self._embedded.open()
        return transport, "http://remem.local", default_key

    async def close(self) -> None:
        http, embedded = self._http, self._embedded
        self._http = self._embedded = None
        if http:
            await http.aclose()
        if embedded:
            await embedded.close()

    async def request(self, method: str, path: str, **options: Any) -> httpx2.Response:
        """Send a request, and send it again if that cannot do anything twice. Raise if the reply is
        an error."""
        _check(options.get("json"))
        retries = Retries(method, path, options, self._patience_s)
        while True:
            http = await self._client()
            retries.rewind()
            try:
                return await self._send_once(http, method, path, options)
            except RememFailure as error:
                if self._by_socket and isinstance(error.__cause__, NOT_SENT):
                    await self._disconnect(http)
                wait_s = retries.wait_after(error)
                if wait_s is None:
                    raise
            await asyncio.sleep(wait_s)

    async def _disconnect(self, http: httpx2.AsyncClient) -> None:
        """The server of this machine has stopped: the next attempt finds another or starts one."""
        async with self._opening:
            if self._http is http:
                self._http = None
                await http.aclose()

    async def _send_once(
        self, http: httpx2.AsyncClient, method: str, path: str, options: dict[str, Any]
    ) -> httpx2.Response:
        try:
            response = await http.request(method, path, **options)
        except (httpx2.TransportError, httpx2.InvalidURL) as error:
            raise self._unreachable(error) from error
        if response.is_error:
            raise failure(response)
        return response

    async def ask(self, method: str, path: str, **options: Any) -> Any:
        """Send a request and return its JSON."""
        response = await self.request(method, path, **options)
        try:
            return response.json() if response.content else None
        except ValueError as error:
            raise self._unreachable(error) from error

    @asynccontextmanager
    async def stream(
        self, path: str, *, method: str = "GET", **options: Any
    ) -> AsyncIterator[AsyncIterator[bytes]]:
        """Yield the bytes of a reply as they arrive."""
        _check(options.get("json"))
        http = await self._client()
        try:
            async with http.stream(method, path, **options) as response:
                if response.is_error:
                    await response.aread()
                    raise failure(response)
                yield response.aiter_bytes()
        except httpx2.TransportError as error:
            raise self._unreachable(error) from error

    async def _client(self) -> httpx2.AsyncClient:
        await self.open()
        assert self._http is not None
        return self._http

    def _unreachable(self, error: Exception) -> Unreachable:
        if isinstance(error, httpx2.TimeoutException) and not isinstance(error, NOT_SENT):
            message = f"remem did not answer within {self._timeout_s:g} s; set a longer timeout_s."
            return Unreachable(0, message, "timeout")
        if isinstance(error, httpx2.InvalidURL | httpx2.UnsupportedProtocol):
            message = f"{self._url} is not an address; write it as http://127.0.0.1:8080."
            return Unreachable(0, message, "invalid_url")
        return Unreachable(
            0, f"No remem answers at {self._url}; start one with `remem serve`.", "unreachable"
        )


class _KeyAuth(httpx2.Auth):
    """Adds the key that is valid when a request is sent."""

    def __init__(self, key: Key) -> None:
        self._key = key

    async def async_auth_flow(
        self, request: httpx2.Request
    ) -> AsyncGenerator[httpx2.Request, httpx2.Response]:
        key = self._key if isinstance(self._key, str) else await self._key()
        request.headers["Authorization"] = f"Bearer {key}"
        yield request


def blocks(file: IO[bytes], size: int = 1 << 20) -> AsyncIterator[bytes]:
    async def read() -> AsyncIterator[bytes]:
        while block := await asyncio.to_thread(file.read, size):
            yield block

    return read()


async def lines(parts: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """Yield complete lines, and the rest after the last of them."""
    rest = bytearray()
    async for part in parts:
        rest += part
        if b"\n" not in part:
            continue
        end = rest.rindex(b"\n") + 1
        for line in bytes(rest[:end]).split(b"\n")[:-1]:
            yield line + b"\n"
        del rest[:end]
    if rest:
        yield bytes(rest)


def _check(body: Any) -> None:
    """Refuse what cannot be written as JSON, with the server's error message."""
    try:
        check_values("", body, NEW.depth)
    except NotAllowed as error:
        raise Invalid(400, error.message, error.code, error.details) from error
