"""The version of all keys and suspensions, which a process may cache for a moment."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import TypeAlias
from uuid import UUID, uuid4

from remem.core.db import Database
from remem.core.errors import Unavailable
from remem.core.transaction import SystemTx

LEASE_S = 0.5
Reader: TypeAlias = Callable[[SystemTx], Awaitable[UUID | None]]


class AccessVersion:
    """Cached facts about keys and tenants are valid while the version is the same. A process caches
    the version for `LEASE_S` at most, and a change waits that long before it is reported as done,
    so that no process has an old version by then, whatever else is down."""

    def __init__(self, db: Database, read: Reader) -> None:
        self._db, self._read = db, read
        self._version = ""
        self._until = self._failed_at = float("-inf")
        self._reading = asyncio.Lock()

    async def current(self) -> str:
        if time.monotonic() < self._until:
            return self._version
        asked_at = time.monotonic()
        async with self._reading:
            if self._failed_at > asked_at:
                # Asked in turn, each caller would wait for all the time limits before its own.
                raise Unavailable("The database is not reachable now; try again shortly.")
            if time.monotonic() >= self._until:
                await self._renew()
        return self._version

    async def _renew(self) -> None:
        # The lease starts before the query, because the answer may be that old.
        asked_at = time.monotonic()
        try:
            async with self._db.unbound() as tx:
                version = await self._read(tx)
        except Unavailable:
            self._failed_at = time.monotonic()
            raise
        # Without its row, a new version each time disables caching.
        self._version = str(version or uuid4())
        self._until = asked_at + LEASE_S

    def expire(self) -> None:
        """Drop the cached version, so that the next call reads it again."""
        self._until = float("-inf")

    async def expire_everywhere(self) -> None:
        """After a change, wait until no process has the previous version cached."""
        self.expire()
        await asyncio.sleep(LEASE_S)
