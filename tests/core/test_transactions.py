"""A transaction that is given up in the middle leaves its connection as good as new."""

import logging
from collections.abc import Awaitable, Callable

import anyio
import anyio.lowlevel
import pytest

from remem.core.db import Tx
from remem.core.ports import Ports
from remem.core.scope import Scope

pytestmark = pytest.mark.anyio


async def waiting(tx: Tx) -> None:
    await anyio.lowlevel.checkpoint()


async def reading(tx: Tx) -> None:
    await tx.fetch("SELECT 1")


@pytest.mark.parametrize("work", [waiting, reading])
async def test_nothing_is_logged_of_one_that_is_cancelled(
    ports: Ports,
    scope: Scope,
    caplog: pytest.LogCaptureFixture,
    work: Callable[[Tx], Awaitable[object]],
) -> None:
    """As the server cancels a request whose client is gone."""
    caplog.set_level(logging.INFO)
    with anyio.CancelScope() as given_up:
        async with ports.db.transaction(scope) as tx:
            given_up.cancel()
            await work(tx)
    assert given_up.cancelled_caught
    assert not caplog.messages


async def test_nothing_is_logged_of_those_that_are_cancelled_as_they_begin(
    ports: Ports,
    scope: Scope,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    caplog.set_level(logging.INFO)
    acquire = ports.db._acquire
    for _ in range(10):
        with anyio.CancelScope() as given_up:

            async def acquire_and_give_up(given_up: anyio.CancelScope = given_up) -> Tx:
                connection = await acquire()
                given_up.cancel()
                return connection

            monkeypatch.setattr(ports.db, "_acquire", acquire_and_give_up)
            async with ports.db.transaction(scope):
                pytest.fail("It was given up before that.")
        assert given_up.cancelled_caught
    assert not caplog.messages
