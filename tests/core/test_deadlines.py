"""A statement, a lock and a connection that nobody answers end in time and leave nothing behind."""

import asyncio
import socket
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial
from typing import TypeAlias
from urllib.parse import urlsplit, urlunsplit

import pytest

from remem.adapters.database.embedded.provision import DATABASE
from remem.adapters.database.embedded.sockets import SOCKET
from remem.core import db
from remem.core.access_version import AccessVersion
from remem.core.db import Database
from remem.core.deadlines import Deadlines, within_deadlines
from remem.core.errors import Unavailable
from remem.core.pool import open_pool
from remem.core.ports import Ports
from remem.core.scope import Bound, Scope
from remem.core.time import new_id
from tests.conftest import Server
from tests.core.scratch import socket_dir, url
from tests.tools.external import external_server
from tests.tools.quick_deadlines import NAMES

pytestmark = pytest.mark.anyio
SHORT = Deadlines(0.2, 0.1)


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in NAMES:
        monkeypatch.setattr(db, name, 0.3)


Streams: TypeAlias = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class Network:
    """A TCP connection to a PostgreSQL; it can be cut silently."""

    def __init__(self, connect: Callable[[], Awaitable[Streams]]) -> None:
        self._connect = connect
        self.works = asyncio.Event()
        self.works.set()

    @asynccontextmanager
    async def listening(self) -> AsyncIterator[int]:
        server = await asyncio.start_server(self._handle, "127.0.0.1", 0)
        try:
            yield server.sockets[0].getsockname()[1]
        finally:
            self.works.set()
            server.close()

    async def _handle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        server_reader, server_writer = await self._connect()
        await asyncio.gather(self._pump(reader, server_writer), self._pump(server_reader, writer))

    async def _pump(self, source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
        while data := await source.read(65_536):
            await self.works.wait()
            target.write(data)
        target.close()


async def _connect(server: Server) -> Streams:
    if external_server():
        address = urlsplit(url(server, DATABASE))
        return await asyncio.open_connection(address.hostname, address.port)
    return await asyncio.open_unix_connection(str(socket_dir(server) / SOCKET))


@asynccontextmanager
async def over_network(server: Server) -> AsyncIterator[tuple[Database, Network]]:
    address = urlsplit(url(server, DATABASE))
    network = Network(partial(_connect, server))
    async with network.listening() as port:
        login = address.netloc.rpartition("@")[0]
        forwarded = address._replace(netloc=f"{login}@127.0.0.1:{port}", query="")
        pool = await open_pool(urlunsplit(forwarded), max_size=4)

        async def revive() -> None:
            """Nothing to do."""

        yield Database(pool, revive), network
        network.works.set()
        await asyncio.wait_for(pool.close(), 10)


async def test_a_slow_statement_ends_and_its_connection_is_used_again(
    ports: Ports, scope: Scope
) -> None:
    with within_deadlines(SHORT), pytest.raises(Unavailable):
        async with ports.db.transaction(scope) as tx:
            await tx.system.execute("SELECT pg_sleep(30)")
    async with ports.db.transaction(scope) as tx:
        assert await tx.system.fetchval("SELECT pg_sleep(0.5)::text || 'ok'") == "ok"
        sleeping = "SELECT count(*) FROM pg_stat_activity WHERE query LIKE 'SELECT pg_sleep(30)%'"
        assert await tx.system.fetchval(sleeping + " AND state = 'active'") == 0


async def test_a_lock_that_is_held_for_long_is_reported_as_busy(ports: Ports, scope: Scope) -> None:
    key = int(new_id()) % 2**31
    lock = f"SELECT pg_advisory_xact_lock({key})"
    async with ports.db.transaction(scope) as holder:
        await holder.system.execute(lock)
        with within_deadlines(Deadlines(30, 0.1)), pytest.raises(Unavailable) as refused:
            async with ports.db.transaction(scope) as tx:
                await tx.system.execute(lock)
    assert refused.value.code == "busy"


async def test_a_transaction_that_does_nothing_for_long_is_ended(
    ports: Ports, scope: Scope, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The process that holds a lock may be frozen."""
    monkeypatch.setattr(db, "_IDLE_MS", 50)
    with pytest.raises(Unavailable):
        async with ports.db.transaction(scope) as tx:
            await asyncio.to_thread(time.sleep, 0.5)
            await tx.system.execute("SELECT 1")


async def test_a_cut_network_is_noticed_and_survived(server: Server, quick: None) -> None:
    async with over_network(server) as (database, network):
        await database.ping()
        async with database.transaction(Bound()) as held:
            network.works.clear()
            begin = time.monotonic()
            calls = [database.ping() for _ in range(20)]
            results = await asyncio.gather(*calls, return_exceptions=True)
            assert {type(result) for result in results} == {Unavailable}
            assert time.monotonic() < begin + 10
            with within_deadlines(SHORT), pytest.raises((Unavailable, TimeoutError)):
                await held.connection.execute("SELECT 1", timeout=0.2)
            network.works.set()
        for _ in range(20):
            await database.ping()
        assert not database._shares._used


async def test_a_commit_that_is_not_confirmed_says_so(server: Server, quick: None) -> None:
    async with over_network(server) as (database, network):
        with within_deadlines(SHORT), pytest.raises(Unavailable, match="may be stored or not"):
            async with database.transaction(Bound()) as tx:
                await tx.execute("SELECT 1")
                network.works.clear()


async def test_connections_by_address_are_kept_alive(server: Server) -> None:
    async with over_network(server) as (database, _), database.unbound() as tx:
        used = tx.connection._con._transport.get_extra_info("socket")
        assert used.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)
        if hasattr(socket, "TCP_USER_TIMEOUT"):
            assert used.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) == 30_000


async def test_callers_that_wait_for_a_failed_answer_fail_with_it(
    ports: Ports, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = 0

    async def fail(*_: object) -> None:
        nonlocal asked
        asked += 1
        await asyncio.sleep(0)
        raise Unavailable("frozen")

    version = AccessVersion(ports.db, fail)
    calls = [version.current() for _ in range(20)]
    results = await asyncio.gather(*calls, return_exceptions=True)
    assert {type(result) for result in results} == {Unavailable}
    assert asked == 1
