"""Run several calls against one locked row, so that a race happens every time."""

import asyncio
from collections.abc import Callable
from typing import TypeVar

from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.core.transaction import AnyTx
from tests.tools.waiting import until_async

T = TypeVar("T")


async def call_while_locked(
    ports: Ports, scope: Scope, lock: str, calls: list[Callable[[], T]]
) -> list[T]:
    """Lock a row with the statement `lock`, start the calls, release the row once all of them wait
    for it, and return their results."""
    async with ports.db.transaction(scope) as tx:
        waiting_before = await _count_waiting(tx)
        await tx.system.execute(lock)
        running = [asyncio.create_task(asyncio.to_thread(call)) for call in calls]

        async def all_wait() -> bool:
            return await _count_waiting(tx) >= waiting_before + len(calls)

        await until_async(all_wait)
    return list(await asyncio.gather(*running))


async def _count_waiting(tx: AnyTx) -> int:
    return await tx.connection.fetchval(
        "SELECT count(DISTINCT pid) FROM pg_locks WHERE NOT granted"
    )
