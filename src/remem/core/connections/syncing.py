"""The state of a running sync: its connection, lock holder, run and walk."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from remem.core.connections import connection_store
from remem.core.connections.model import ERRORS_LIMIT, Change, Connection
from remem.core.connectors.model import Access
from remem.core.connectors.port import Connector
from remem.core.errors import Unavailable
from remem.core.intake.texts import to_storable
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.core.time import now
from remem.core.transaction import Tx

LOCK_S = 60
# The timeout for one page of a list, or one item.
CALL_S = 600
_REASON_LIMIT = 500


class SyncStopped(Exception):
    """The connection was paused or removed, or another worker has taken over."""


class OutOfTime(Exception):
    """The job has used up its time; another one continues."""


@dataclass(frozen=True, slots=True)
class Sync:
    connection: Connection
    connector: Connector
    access: Access
    run_id: UUID
    holder: UUID
    ends_at: datetime
    walk: int = 0

    @property
    def id(self) -> UUID:
        return self.connection.id

    def check_time(self) -> None:
        if now() >= self.ends_at:
            raise OutOfTime


@asynccontextmanager
async def within_time() -> AsyncIterator[None]:
    """Limit a call: a service that sends a byte now and then would occupy a worker forever."""
    try:
        async with asyncio.timeout(CALL_S):
            yield
    except TimeoutError as error:
        raise Unavailable("The service takes too long to answer; it is tried again.") from error


async def require_lock(tx: Tx, sync: Sync) -> None:
    """Raise SyncStopped if the worker has lost the lock, or the connection was paused or
    removed."""
    if not await connection_store.renew_lock(tx, sync.id, sync.holder, LOCK_S):
        raise SyncStopped


async def count_change(
    tx: Tx, sync: Sync, change: Change, reference: str, reason: str | None = None
) -> None:
    problem = {
        "reference": to_storable(reference[:500]),
        "reason": to_storable(str(reason)[:_REASON_LIMIT]),
    }
    errors = [problem] if reason else []
    await connection_store.count_in_run(tx, sync.run_id, change, 1, errors, ERRORS_LIMIT)


async def count_unchanged(ports: Ports, scope: Scope, sync: Sync, number: int) -> None:
    async with ports.db.transaction(scope) as tx:
        await connection_store.count_in_run(tx, sync.run_id, "unchanged", number, [], ERRORS_LIMIT)
