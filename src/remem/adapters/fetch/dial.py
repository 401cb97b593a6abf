"""Open connections only to checked addresses; no name is resolved a second time."""

import asyncio
import socket
from collections.abc import Awaitable, Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TypeAlias, cast

import httpcore2

from remem.adapters.fetch.addresses import Guard, parse_ip

Resolve: TypeAlias = Callable[[str, int], Awaitable[Sequence[str]]]

MAX_ADDRESSES = 4
CONNECT_TIMEOUT_S = 8.0
# Lookups cannot be cancelled; in a separate pool, hanging ones do not block other work.
LOOKUPS = ThreadPoolExecutor(4, thread_name_prefix="lookup")


class NameNotFound(httpcore2.ConnectError):
    """The name has no address, or could not be resolved."""


class GuardedDial(httpcore2.AsyncNetworkBackend):
    """Resolves a name, checks every address, and connects to one of the checked addresses.

    The caller keeps the name, which it sends as Host and in TLS."""

    def __init__(
        self,
        guard: Guard,
        resolve: Resolve | None = None,
        dial: httpcore2.AsyncNetworkBackend | None = None,
    ) -> None:
        self._guard = guard
        self._resolve = resolve or look_up
        self._dial = dial or cast(httpcore2.AsyncNetworkBackend, httpcore2.AnyIOBackend())

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109 (httpcore's own name for it)
        local_address: str | None = None,
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        addresses = [host] if parse_ip(host) else await self._resolve(host, port)
        failure: Exception = NameNotFound("the name has no address")
        for address in self._guard.check(host, addresses)[:MAX_ADDRESSES]:
            try:
                return await self._dial.connect_tcp(address, port, timeout=CONNECT_TIMEOUT_S)
            except (httpcore2.ConnectError, httpcore2.ConnectTimeout) as error:
                failure = error
        raise failure

    async def connect_unix_socket(
        self,
        path: str,
        timeout: float | None = None,  # noqa: ASYNC109 (httpcore's own name for it)
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        raise httpcore2.UnsupportedProtocol("a URL never leads to a socket file")

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


async def look_up(host: str, port: int) -> list[str]:
    """Resolve a name in a thread; return its distinct addresses in the system's order."""
    try:
        results = await asyncio.get_running_loop().run_in_executor(
            LOOKUPS, partial(socket.getaddrinfo, host, port, type=socket.SOCK_STREAM)
        )
    except (OSError, UnicodeError) as error:
        raise NameNotFound("the name could not be looked up") from error
    return list(dict.fromkeys(str(result[4][0]) for result in results))
