"""Requests to a server, or to all of remem in this process; repeated where that is harmless."""

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

# A key, or whatever gives the one that is good now.
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
        self._inside: Any = None
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
            transport, url, owners = self._find_server() or await self._start_embedded()
            key = key or owners
        return httpx2.AsyncClient(
            base_url=url,
            auth=_Shown(key) if key else None,
            transport=transport,
            timeout=self._timeout_s,
            # Without TLS there is nothing to verify, and certificates take long to read.
            verify=not url.startswith("http://"),
        )

    def _find_server(self) -> tuple[httpx2.AsyncHTTPTransport, str, str | None] | None:
        """The server that runs on this machine's store, with the owner's key for it."""
        found = find_server()
        self._by_socket = found is not None
        if found is None:
            return None
        return httpx2.AsyncHTTPTransport(verify=False, uds=found.socket), found.url, owner_key()

    async def _start_embedded(self) -> tuple[httpx2.AsyncBaseTransport, str, str | None]:
        # The one import upwards: without a server, the client carries its own.
        self._inside = importlib.import_module("remem.embedded").Embedded()
        transport, owners = await self._inside.open()
        return transport, "http://remem.local", owners

    async def close(self) -> None:
        http, inside = self._http, self._inside
        self._http = self._inside = None
        if http:
            await http.aclose()
        if inside:
            await inside.close()

    async def request(self, method: str, path: str, **options: Any) -> httpx2.Response:
        """Send it, and again where nothing can be done twice by that; the reply is a good one."""
        _check(options.get("json"))
        retries = Retries(method, path, options, self._patience_s)
        while True:
            http = await self._opened()
            retries.rewind()
            try:
                return await self._once(http, method, path, options)
            except RememFailure as error:
                if self._by_socket and isinstance(error.__cause__, NOT_SENT):
                    await self._leave(http)
                wait_s = retries.wait_after(error)
                if wait_s is None:
                    raise
            await asyncio.sleep(wait_s)

    async def _leave(self, http: httpx2.AsyncClient) -> None:
        """The server of this machine has stopped: the next try finds another, or starts one."""
        async with self._opening:
            if self._http is http:
                self._http = None
                await http.aclose()

    async def _once(
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
        """What a request is answered with, as JSON."""
        response = await self.request(method, path, **options)
        try:
            return response.json() if response.content else None
        except ValueError as error:
            raise self._unreachable(error) from error

    @asynccontextmanager
    async def stream(
        self, path: str, *, method: str = "GET", **options: Any
    ) -> AsyncIterator[AsyncIterator[bytes]]:
        """The bytes of a reply as they come."""
        _check(options.get("json"))
        http = await self._opened()
        try:
            async with http.stream(method, path, **options) as response:
                if response.is_error:
                    await response.aread()
                    raise failure(response)
                yield response.aiter_bytes()
        except httpx2.TransportError as error:
            raise self._unreachable(error) from error

    async def _opened(self) -> httpx2.AsyncClient:
        await self.open()
        assert self._http is not None
        return self._http

    def _unreachable(self, error: Exception) -> Unreachable:
        if isinstance(error, httpx2.TimeoutException) and not isinstance(error, NOT_SENT):
            message = (
                f"remem did not answer within {self._timeout_s:g} s; give it a longer timeout_s."
            )
            return Unreachable(0, message, "timeout")
        return Unreachable(
            0, f"No remem answers at {self._url}; start one with `remem serve`.", "unreachable"
        )


class _Shown(httpx2.Auth):
    """The key, as it is when a request is sent."""

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
    """Complete lines, and the rest after the last of them."""
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
    """What cannot be written as JSON is refused here, in the words the server would use."""
    try:
        check_values("", body, NEW.depth)
    except NotAllowed as error:
        raise Invalid(400, error.message, error.code, error.details) from error
