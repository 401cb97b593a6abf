"""A semaphore that is fair to owners: those with the fewest slots come first."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class FairSemaphore:
    """Grants `at_once` slots, and one more to an owner who has none, so that slow files of one
    owner never block those of another."""

    def __init__(self, at_once: int) -> None:
        self._at_once = at_once
        self._running: Counter[str] = Counter()
        self._waiting: list[tuple[str, asyncio.Future[None]]] = []

    @asynccontextmanager
    async def slot(self, owner: str) -> AsyncIterator[None]:
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append((owner, future))
        self._admit()
        try:
            await future
        except asyncio.CancelledError:
            self._cancel(owner, future)
            raise
        try:
            yield
        finally:
            self._release(owner)

    def _admit(self) -> None:
        while self._waiting:
            waiter = min(self._waiting, key=lambda item: self._running[item[0]])
            owner, future = waiter
            spare = 0 if self._running[owner] else 1
            if self._running.total() >= self._at_once + spare:
                return
            self._waiting.remove(waiter)
            self._running[owner] += 1
            future.set_result(None)

    def _cancel(self, owner: str, future: "asyncio.Future[None]") -> None:
        if (owner, future) in self._waiting:
            self._waiting.remove((owner, future))
        else:
            self._release(owner)

    def _release(self, owner: str) -> None:
        self._running[owner] -= 1
        self._running += Counter()
        self._admit()
