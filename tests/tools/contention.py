"""Let several calls meet at one lock, so that a race happens every time."""

import asyncio
from collections.abc import Callable
from typing import TypeVar

from remem.core.db import Tx
from remem.core.ports import Ports
from remem.core.scope import Scope
from tests.tools.waiting import until_so

T = TypeVar("T")


async def all_wait_for(
    ports: Ports, scope: Scope, lock: str, calls: list[Callable[[], T]]
) -> list[T]:
    """What the calls return that all have to wait for the row a statement locks."""
    async with ports.db.transaction(scope) as tx:
        before = await _waiting(tx)
        await tx.execute(lock)
        running = [asyncio.create_task(asyncio.to_thread(call)) for call in calls]

        async def all_wait() -> bool:
            return await _waiting(tx) >= before + len(calls)

        await until_so(all_wait)
    return list(await asyncio.gather(*running))


async def _waiting(tx: Tx) -> int:
    return await tx.fetchval("SELECT count(DISTINCT pid) FROM pg_locks WHERE NOT granted")
