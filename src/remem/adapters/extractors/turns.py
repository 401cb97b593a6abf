"""Who may have a process now: those with the fewest come first, and nobody takes the last one."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class Turns:
    """So many at once, and one more that is only for an owner who has none: the slow files of one
    owner never keep another's from being read."""

    def __init__(self, at_once: int) -> None:
        self._at_once = at_once
        self._running: Counter[str] = Counter()
        self._waiting: list[tuple[str, asyncio.Future[None]]] = []

    @asynccontextmanager
    async def turn(self, owner: str) -> AsyncIterator[None]:
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append((owner, future))
        self._admit()
        try:
            await future
        except asyncio.CancelledError:
            self._give_up(owner, future)
            raise
        try:
            yield
        finally:
            self._end(owner)

    def _admit(self) -> None:
        while self._waiting:
            next_one = min(self._waiting, key=lambda one: self._running[one[0]])
            owner, future = next_one
            spare = 0 if self._running[owner] else 1
            if self._running.total() >= self._at_once + spare:
                return
            self._waiting.remove(next_one)
            self._running[owner] += 1
            future.set_result(None)

    def _give_up(self, owner: str, future: "asyncio.Future[None]") -> None:
        if (owner, future) in self._waiting:
            self._waiting.remove((owner, future))
        else:
            self._end(owner)

    def _end(self, owner: str) -> None:
        self._running[owner] -= 1
        self._running += Counter()
        self._admit()
