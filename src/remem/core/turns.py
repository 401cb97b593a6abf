"""Who waits for what: the writers of a project, and the tenants that share connections.

Both are first come, first served, and nobody who waits here has a connection."""

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Hashable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from uuid import UUID

from remem.core.errors import Unavailable


class Turns:
    """One task at a time for each key; the others wait in the order in which they came."""

    def __init__(self) -> None:
        self._locks: dict[Hashable, asyncio.Lock] = {}
        self._users: dict[Hashable, int] = defaultdict(int)

    @asynccontextmanager
    async def turn(self, key: Hashable, timeout_s: float) -> AsyncIterator[None]:
        lock = self._locks.setdefault(key, asyncio.Lock())
        self._users[key] += 1
        try:
            await self._acquire(lock, timeout_s)
            try:
                yield
            finally:
                lock.release()
        finally:
            self._users[key] -= 1
            if not self._users[key]:
                del self._users[key], self._locks[key]

    async def _acquire(self, lock: asyncio.Lock, timeout_s: float) -> None:
        try:
            async with asyncio.timeout(timeout_s):
                await lock.acquire()
        except TimeoutError as error:
            raise Unavailable(
                "Too many changes of this project wait; nothing was changed, try again shortly.",
                code="busy",
            ) from error


@dataclass(slots=True, eq=False)
class _Waiter:
    tenant_id: UUID | None
    granted: asyncio.Future[None] = field(default_factory=asyncio.Future)

    @property
    def has_permit(self) -> bool:
        return self.granted.done() and not self.granted.cancelled()


class Shares:
    """Permits to use a connection. A tenant has at most half of them, and when they are scarce the
    tenant that has the fewest gets the next one."""

    def __init__(self, size: int) -> None:
        self._free = size
        self._most = max(1, (size + 1) // 2)
        self._used: dict[UUID | None, int] = defaultdict(int)
        self._waiting: list[_Waiter] = []

    async def take(self, tenant_id: UUID | None, timeout_s: float) -> None:
        """Wait for a permit. Without a tenant, such as for signing in, there is no limit."""
        waiter = _Waiter(tenant_id)
        self._waiting.append(waiter)
        self._grant()
        try:
            async with asyncio.timeout(timeout_s):
                await waiter.granted
        except BaseException as error:
            self._forget(waiter)
            if isinstance(error, TimeoutError):
                raise Unavailable(
                    "Every database connection is busy; nothing was changed, try again shortly.",
                    code="busy",
                ) from error
            raise

    def give_back(self, tenant_id: UUID | None) -> None:
        self._free += 1
        self._used[tenant_id] -= 1
        if not self._used[tenant_id]:
            del self._used[tenant_id]
        self._grant()

    def _forget(self, waiter: _Waiter) -> None:
        if waiter.has_permit:
            self.give_back(waiter.tenant_id)
        elif waiter in self._waiting:
            self._waiting.remove(waiter)

    def _grant(self) -> None:
        while self._free and (waiter := self._next()):
            self._waiting.remove(waiter)
            if waiter.granted.cancelled():
                continue
            self._free -= 1
            self._used[waiter.tenant_id] += 1
            waiter.granted.set_result(None)

    def _next(self) -> _Waiter | None:
        allowed = (waiter for waiter in self._waiting if self._may_have_more(waiter.tenant_id))
        return min(allowed, key=lambda waiter: self._count(waiter.tenant_id), default=None)

    def _may_have_more(self, tenant_id: UUID | None) -> bool:
        return tenant_id is None or self._count(tenant_id) < self._most

    def _count(self, tenant_id: UUID | None) -> int:
        """How many permits a tenant has, which decides who is next."""
        return self._used.get(tenant_id, 0) if tenant_id else 0
