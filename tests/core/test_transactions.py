"""A transaction that is cancelled leaves its connection usable and logs nothing. Connections that
died while nobody used them are replaced."""

import logging
import socket
from collections.abc import Awaitable, Callable

import anyio
import anyio.lowlevel
import pytest

from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.core.transaction import AnyTx, Connection, Tx

pytestmark = pytest.mark.anyio


async def wait(tx: AnyTx) -> None:
    await anyio.lowlevel.checkpoint()


async def read(tx: AnyTx) -> None:
    await tx.connection.fetch("SELECT 1")


@pytest.mark.parametrize("work", [wait, read])
async def test_a_cancelled_transaction_logs_nothing(
    ports: Ports,
    scope: Scope,
    caplog: pytest.LogCaptureFixture,
    work: Callable[[Tx], Awaitable[object]],
) -> None:
    """The server cancels a request like this when the client disconnects."""
    caplog.set_level(logging.INFO)
    with anyio.CancelScope() as cancel_scope:
        async with ports.db.transaction(scope) as tx:
            cancel_scope.cancel()
            await work(tx)
    assert cancel_scope.cancelled_caught
    assert not caplog.messages


async def test_a_transaction_cancelled_at_its_start_logs_nothing(
    ports: Ports,
    scope: Scope,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    caplog.set_level(logging.INFO)
    acquire = ports.db._acquire
    for _ in range(10):
        with anyio.CancelScope() as cancel_scope:

            async def acquire_and_cancel(
                cancel_scope: anyio.CancelScope = cancel_scope,
            ) -> Connection:
                connection = await acquire()
                cancel_scope.cancel()
                return connection

            monkeypatch.setattr(ports.db, "_acquire", acquire_and_cancel)
            async with ports.db.transaction(scope):
                pytest.fail("It was cancelled before that.")
        assert cancel_scope.cancelled_caught
    assert not caplog.messages


@pytest.mark.parametrize("count", [1, 2, 5])
async def test_connections_that_died_are_replaced(ports: Ports, scope: Scope, count: int) -> None:
    opened = [await ports.db.pool.acquire() for _ in range(count)]
    sockets = [connection._con._transport.get_extra_info("socket") for connection in opened]
    for connection in opened:
        await ports.db.pool.release(connection)
    for connected in sockets:
        connected.shutdown(socket.SHUT_RDWR)
    for _ in range(count):
        async with ports.db.transaction(scope) as tx:
            assert await tx.system.fetchval("SELECT 1") == 1
