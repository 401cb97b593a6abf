"""Writers of a project wait in order and without a connection; tenants share connections."""

import asyncio

import anyio
import pytest

from remem.core.errors import Unavailable
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.core.time import new_id
from remem.core.turns import Shares, Turns
from tests.conftest import new_scope
from tests.tools.waiting import until_async

pytestmark = pytest.mark.anyio
LONG_S = 60.0


async def settle() -> None:
    """Let every task run until it waits."""
    for _ in range(20):
        await anyio.lowlevel.checkpoint()


async def test_who_comes_first_is_first() -> None:
    turns, order = Turns(), []

    async def work(number: int) -> None:
        async with turns.turn("project", LONG_S):
            await settle()
            order.append(number)

    async with asyncio.TaskGroup() as group:
        for number in range(20):
            group.create_task(work(number))
            await anyio.lowlevel.checkpoint()
    assert order == list(range(20))
    assert not turns._locks
    assert not turns._users


async def test_turns_of_another_key_do_not_wait() -> None:
    turns = Turns()
    async with turns.turn("a", LONG_S), turns.turn("b", LONG_S):
        with pytest.raises(Unavailable):
            async with turns.turn("a", 0.01):
                pytest.fail("It is taken.")
    async with turns.turn("a", LONG_S):
        assert list(turns._locks) == ["a"]


async def test_a_cancelled_waiter_leaves_its_place() -> None:
    turns = Turns()
    async with turns.turn("a", LONG_S):
        with anyio.move_on_after(0.01):
            async with turns.turn("a", LONG_S):
                pytest.fail("It is taken.")
    async with turns.turn("a", 0.01):
        pass
    assert not turns._users


async def test_a_tenant_has_at_most_half_of_the_connections() -> None:
    shares, greedy, modest = Shares(10), new_id(), new_id()
    for _ in range(5):
        await shares.take(greedy, 0.01)
    with pytest.raises(Unavailable):
        await shares.take(greedy, 0.01)
    for _ in range(4):
        await shares.take(modest, 0.01)
    # Signing in has no tenant yet.
    await shares.take(None, 0.01)
    with pytest.raises(Unavailable):
        await shares.take(modest, 0.01)


async def test_who_has_the_fewest_is_next() -> None:
    shares, tenants = Shares(3), [new_id() for _ in range(3)]
    order = []

    async def take(tenant: int) -> None:
        await shares.take(tenants[tenant], LONG_S)
        order.append(tenant)

    for tenant in (0, 0, 1):
        await take(tenant)
    async with asyncio.TaskGroup() as group:
        for tenant in (1, 1, 0, 2):
            group.create_task(take(tenant))
            await settle()
        for tenant in (0, 1, 0, 2, 1):
            shares.give_back(tenants[tenant])
            await settle()
    assert order[3:] == [2, 1, 0, 1]


async def test_cancelled_waiters_lose_no_permit() -> None:
    shares, tenant = Shares(1), new_id()
    for _ in range(3):
        await shares.take(tenant, LONG_S)
        waiting = asyncio.create_task(shares.take(tenant, LONG_S))
        await settle()
        waiting.cancel()
        shares.give_back(tenant)
        with pytest.raises(asyncio.CancelledError):
            await waiting
    for _ in range(3):
        await shares.take(tenant, LONG_S)
        waiting = asyncio.create_task(shares.take(tenant, LONG_S))
        await settle()
        shares.give_back(tenant)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
    await shares.take(tenant, 0.01)


async def test_waiting_for_a_project_takes_one_connection(ports: Ports, scope: Scope) -> None:
    """Sixty writers of one project wait for another process; everybody else works on."""
    project, stranger = new_id(), await new_scope(ports)
    began: list[int] = []

    async def write(number: int) -> None:
        async with ports.db.transaction(scope, turn=project) as tx:
            await tx.system.execute("SELECT pg_advisory_xact_lock(4711)")
            began.append(number)

    async with ports.db.sessions.acquire() as other:
        await other.execute("SELECT pg_advisory_lock(4711)")
        writers = [asyncio.create_task(write(number)) for number in range(60)]

        async def one_waits() -> bool:
            query = "SELECT count(*) FROM pg_locks WHERE NOT granted AND objid = 4711"
            return await other.fetchval(query) == 1

        await until_async(one_waits)
        async with asyncio.timeout(10), ports.db.transaction(stranger) as tx:
            assert await tx.system.fetchval("SELECT 1") == 1
        async with asyncio.timeout(10), ports.db.transaction(scope) as tx:
            assert await tx.system.fetchval("SELECT 1") == 1
        assert await one_waits()
        await other.execute("SELECT pg_advisory_unlock(4711)")
    await asyncio.gather(*writers)
    assert began == list(range(60))
