"""The version of all keys and suspensions, which a process may rely on for a moment."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import TypeAlias
from uuid import UUID, uuid4

from remem.core.db import Database, Tx
from remem.core.scope import Bound

LEASE_S = 0.5
Reader: TypeAlias = Callable[[Tx, Bound], Awaitable[UUID | None]]


class AccessVersion:
    """What was read from the database about a key or a tenant is right as long as the version is
    the same. A process relies on the version it has read for `LEASE_S` at the most; a change waits
    as long before it is reported as done, so that no process is behind by then, whatever else is
    down."""

    def __init__(self, db: Database, read: Reader) -> None:
        self._db, self._read = db, read
        self._version = ""
        self._until = float("-inf")
        self._reading = asyncio.Lock()

    async def current(self) -> str:
        if time.monotonic() < self._until:
            return self._version
        async with self._reading:
            if time.monotonic() >= self._until:
                await self._renew()
        return self._version

    async def _renew(self) -> None:
        # The lease begins before the question: the answer may be as old.
        asked_at = time.monotonic()
        async with self._db.alone() as tx:
            found = await self._read(tx, Bound())
        # Without its row nothing is ever relied on twice.
        self._version = str(found or uuid4())
        self._until = asked_at + LEASE_S

    def expire(self) -> None:
        """Read the version again when it is asked for next."""
        self._until = float("-inf")

    async def wait_for_all(self) -> None:
        """After a change: until no process relies on the version before."""
        self.expire()
        await asyncio.sleep(LEASE_S)
