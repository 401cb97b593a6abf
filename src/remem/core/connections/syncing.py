"""One sync that is under way: which connection, by whom, as which run and walk."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from remem.core.connections import store
from remem.core.connections.model import ERRORS_LIMIT, Change, Connection
from remem.core.connectors.model import Access
from remem.core.connectors.port import Connector
from remem.core.db import Tx
from remem.core.errors import Unavailable
from remem.core.intake.texts import storable
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.core.time import now

LOCK_S = 60
# For one page of a list, or one item.
CALL_S = 600
_REASON_LIMIT = 500


class SyncStopped(Exception):
    """Somebody paused or removed the connection, or another worker has taken over."""


class TimeIsUp(Exception):
    """This job has worked long enough; another one goes on."""


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
            raise TimeIsUp


@asynccontextmanager
async def within_time() -> AsyncIterator[None]:
    """A service that sends a byte now and then would keep a worker busy for good."""
    try:
        async with asyncio.timeout(CALL_S):
            yield
    except TimeoutError as error:
        raise Unavailable("The service takes too long to answer; it is tried again.") from error


async def still_ours(tx: Tx, scope: Scope, sync: Sync) -> None:
    """Nothing is written by a worker that has lost the connection, or for one that is paused."""
    if not await store.keep_lock(tx, scope, sync.id, sync.holder, LOCK_S):
        raise SyncStopped


async def count_change(
    tx: Tx,
    scope: Scope,
    sync: Sync,
    change: Change,
    reference: str,
    reason: str | None = None,
) -> None:
    said = {"reference": storable(reference[:500]), "reason": storable(str(reason)[:_REASON_LIMIT])}
    errors = [said] if reason else []
    await store.count_in_run(tx, scope, sync.run_id, change, 1, errors, ERRORS_LIMIT)


async def count_unchanged(ports: Ports, scope: Scope, sync: Sync, number: int) -> None:
    async with ports.db.transaction(scope) as tx:
        await store.count_in_run(tx, scope, sync.run_id, "unchanged", number, [], ERRORS_LIMIT)
