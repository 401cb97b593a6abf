"""The access log: collects reads for a few seconds and writes them together."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import TypeAlias
from uuid import UUID

import structlog

from remem.core.db import Database, allow_loss
from remem.core.scope import Scope
from remem.core.transaction import Tx

log = structlog.get_logger()

WAIT_S = 3.0
# Writes the reads, in a transaction of a caller who may see the items.
Writer: TypeAlias = Callable[[Tx, Sequence[UUID]], Awaitable[None]]


class AccessLog:
    """Batches writes, because noting each read at once would cost as much as a quick answer does.
    A crash loses the waiting reads, which is acceptable."""

    def __init__(self, db: Database, wait_s: float = WAIT_S) -> None:
        self._db = db
        self._wait_s = wait_s
        self._waiting: dict[tuple[Writer, Scope], set[UUID]] = {}
        self._writing: asyncio.Task[None] | None = None

    def note(self, write: Writer, scope: Scope, ids: Iterable[UUID]) -> None:
        if new := set(ids):
            self._waiting.setdefault((write, scope), set()).update(new)
            if self._writing is None or self._writing.done():
                self._writing = asyncio.create_task(self._write_soon())

    async def close(self) -> None:
        if self._writing:
            self._writing.cancel()
            await asyncio.wait([self._writing])
        await self._write()

    async def _write_soon(self) -> None:
        while self._waiting:
            await asyncio.sleep(self._wait_s)
            await self._write()

    async def _write(self) -> None:
        while self._waiting:
            (write, scope), ids = self._waiting.popitem()
            try:
                async with self._db.transaction(scope) as tx:
                    await allow_loss(tx)
                    await write(tx, sorted(ids))
            except Exception as error:
                log.warning("reads_not_noted", count=len(ids), error=type(error).__name__)
