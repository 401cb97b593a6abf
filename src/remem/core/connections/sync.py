"""Sync a connection, with one job at a time for each, queued by the clock or by a person."""

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import datetime, timedelta
from uuid import UUID

import structlog

from remem.core.connections import connection_store
from remem.core.connections.access import UNKNOWN_REPLY
from remem.core.connections.advance import advance
from remem.core.connections.consent.refresh import fresh_access
from remem.core.connections.find import find_connector
from remem.core.connections.model import Connection, Outcome, Trigger
from remem.core.connections.syncing import LOCK_S, OutOfTime, Sync, SyncStopped
from remem.core.connections.write_back import write_back
from remem.core.connectors.errors import (
    WRONG_SHAPE,
    AskedTooOften,
    Ended,
    NeedsAuth,
)
from remem.core.errors import Conflict, RememError
from remem.core.events.record import record
from remem.core.identity.everyone import every_tenant
from remem.core.jobs.enqueue import enqueue, find_underway
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.core.time import new_id, now
from remem.core.transaction import Tx

JOB = "sync_connection"
# For fairness, another job continues after this time.
WORK_S = 300
RENEW_S = 15
# The job sleeps through a short wait; a longer one ends it.
SHORT_WAIT_S = 20
SHORT_WAITS = 10
BACKOFF_S = 60
MAX_BACKOFF_S = 3_600
FAILING_AFTER = timedelta(days=1)
# Lower than that of jobs that people wait for.
PRIORITY = -1

log = structlog.get_logger()


async def request_sync(
    ports: Ports, scope: Scope, id: UUID, *, full: bool = False
) -> tuple[UUID, UUID]:
    """Return the ids of the job and the run, which may be under way already. `full` lists
    everything again."""
    async with ports.db.transaction(scope) as tx:
        await connection_store.lock(tx, id)
        connection = await connection_store.require(tx, id)
        if not connection.is_synced:
            raise Conflict(_NOT_SYNCED[connection.status], code="not_synced")
        if full:
            await connection_store.change(tx, id, {"is_walk_due": True})
        return await enqueue_sync(ports, tx, id, "person")


_NOT_SYNCED = {
    "choosing": "Nothing is chosen yet; choose what to read first.",
    "paused": "The connection is paused; resume it first.",
    "needs_auth": "The service refuses the credential; connect the account again first.",
    "removing": "The connection is being removed.",
}


async def enqueue_sync(ports: Ports, tx: Tx, id: UUID, trigger: Trigger) -> tuple[UUID, UUID]:
    """Queue a sync. The caller has locked the connection: it has one job and one run at a time."""
    run_id = await connection_store.open_run(tx, id, trigger)
    job_id = await find_underway(tx, JOB, id)
    return job_id or await enqueue(ports, tx, JOB, id, priority=PRIORITY), run_id


async def schedule_syncs(ports: Ports) -> int:
    """Queue a job for every connection that is due."""
    count = 0
    async for scope in every_tenant(ports):
        async with ports.db.transaction(scope) as tx:
            for id in await connection_store.due(tx):
                if await find_underway(tx, JOB, id) is None:
                    await enqueue_sync(ports, tx, id, "clock")
                    count += 1
    return count


async def sync_connection(ports: Ports, scope: Scope, id: UUID) -> None:
    """The job. While another worker has the connection, it does nothing but requeue itself for when
    that lock expires, in case the worker has died."""
    holder = new_id()
    async with ports.db.transaction(scope) as tx:
        if not await connection_store.acquire_lock(tx, id, holder, LOCK_S):
            await _requeue_after_lock(ports, tx, id)
            return
        connection = await connection_store.find(tx, id)
        assert connection is not None
        run_id = await connection_store.open_run(tx, id, "clock")
    scope = replace(scope, user_id=connection.user_id)
    async with _renewed_lock(ports, scope, id, holder):
        await _run(ports, scope, connection, run_id, holder)


async def _requeue_after_lock(ports: Ports, tx: Tx, id: UUID) -> None:
    until = await connection_store.locked_until(tx, id)
    if until:
        delay = max(until - now(), timedelta(0)) + timedelta(seconds=1)
        await enqueue(ports, tx, JOB, id, delay=delay, priority=PRIORITY)


@asynccontextmanager
async def _renewed_lock(ports: Ports, scope: Scope, id: UUID, holder: UUID) -> AsyncIterator[None]:
    """Renew the lock meanwhile: reading a large file may take longer than the lock lasts."""

    async def renew() -> None:
        while True:
            await asyncio.sleep(RENEW_S)
            async with ports.db.transaction(scope) as tx:
                await connection_store.renew_lock(tx, id, holder, LOCK_S)

    task = asyncio.create_task(renew())
    try:
        yield
    finally:
        task.cancel()
        await asyncio.wait([task])


async def _run(
    ports: Ports, scope: Scope, connection: Connection, run_id: UUID, holder: UUID
) -> None:
    try:
        connector = find_connector(ports, connection.provider)
        sync = Sync(
            connection=connection,
            connector=connector,
            access=await fresh_access(ports, scope, connector, connection),
            run_id=run_id,
            holder=holder,
            ends_at=now() + timedelta(seconds=WORK_S),
        )
        await _advance_with_fresh_token(ports, scope, sync)
        await write_back(ports, scope, sync)
    except SyncStopped:
        await _end(ports, scope, connection.id, holder, "stopped")
    except OutOfTime:
        await _requeue(ports, scope, connection.id, holder)
    except AskedTooOften as error:
        await _end(ports, scope, connection.id, holder, "rate_limited", next_at=error.until)
    except NeedsAuth as error:
        await _end(ports, scope, connection.id, holder, "needs_auth", error.message)
    except Ended as error:
        await _pause(ports, scope, connection.id, holder, error.message)
    except Exception as error:
        log.warning("sync_failed", connection=str(connection.id), error=type(error).__name__)
        await _fail(ports, scope, connection, holder, _error_message(error))
    else:
        await _end(ports, scope, connection.id, holder, "done")


async def _advance_with_fresh_token(ports: Ports, scope: Scope, sync: Sync) -> None:
    """Advance; if the token is refused early, refresh it and retry once. Only a refused refresh
    needs the person."""
    try:
        await _advance(ports, scope, sync)
    except NeedsAuth:
        if "refresh_token" not in sync.access.credential:
            raise
        refused = sync.access.credential["token"]
        connection = await _reload(ports, scope, sync)
        access = await fresh_access(ports, scope, sync.connector, connection, refused)
        await _advance(ports, scope, replace(sync, connection=connection, access=access))


async def _reload(ports: Ports, scope: Scope, sync: Sync) -> Connection:
    async with ports.db.transaction(scope) as tx:
        connection = await connection_store.find(tx, sync.id)
    if connection is None:
        raise SyncStopped
    return connection


async def _advance(ports: Ports, scope: Scope, sync: Sync) -> None:
    """Advance with short pauses when the service asks for them; after too many, pause for
    longer."""
    for _ in range(SHORT_WAITS):
        try:
            return await advance(ports, scope, sync)
        except AskedTooOften as error:
            wait_s = (error.until - now()).total_seconds()
            if wait_s > SHORT_WAIT_S:
                raise
            await asyncio.sleep(max(wait_s, 0))
        sync = replace(sync, connection=await _reload(ports, scope, sync))
        sync.check_time()
    raise AskedTooOften(now() + timedelta(seconds=BACKOFF_S))


def _error_message(error: Exception) -> str:
    if isinstance(error, RememError):
        return error.message
    if isinstance(error, WRONG_SHAPE):
        return UNKNOWN_REPLY
    return f"The sync failed with an unexpected error ({type(error).__name__}); it is tried again."


async def _requeue(ports: Ports, scope: Scope, id: UUID, holder: UUID) -> None:
    async with ports.db.transaction(scope) as tx:
        if await connection_store.release_lock(tx, id, holder):
            await enqueue(ports, tx, JOB, id, priority=PRIORITY)


async def _end(
    ports: Ports,
    scope: Scope,
    id: UUID,
    holder: UUID,
    outcome: Outcome,
    error: str | None = None,
    next_at: datetime | None = None,
) -> None:
    async with ports.db.transaction(scope) as tx:
        await connection_store.lock(tx, id)
        connection = await connection_store.find(tx, id)
        if connection is None or not await connection_store.release_lock(tx, id, holder):
            return
        await connection_store.end_run(tx, id, outcome, error)
        if outcome == "stopped":
            return
        pause_s = 0 if next_at or connection.is_walk_due else connection.interval_s
        values = {"next_at": _with_jitter(next_at or now(), pause_s), "error": error}
        if outcome == "done":
            values |= {"status": "active", "last_synced_at": now()}
            values |= {"failures": 0, "failing_since": None}
        if outcome == "needs_auth":
            values |= {"status": "needs_auth", "next_at": None}
            await record(tx, "connection", id, "needs_auth")
        await connection_store.change(tx, id, values)


async def _pause(ports: Ports, scope: Scope, id: UUID, holder: UUID, error: str) -> None:
    """Pause the connection: the source is gone. A person may still resume it."""
    async with ports.db.transaction(scope) as tx:
        if await connection_store.release_lock(tx, id, holder):
            await connection_store.end_run(tx, id, "failed", error)
            values = {"status": "paused", "next_at": None, "error": error}
            await connection_store.change(tx, id, values)


async def _fail(
    ports: Ports, scope: Scope, connection: Connection, holder: UUID, error: str
) -> None:
    """Retry with exponential backoff; after a day the status becomes `failing`."""
    async with ports.db.transaction(scope) as tx:
        if not await connection_store.release_lock(tx, connection.id, holder):
            return
        since = connection.failing_since or now()
        pause_s = min(BACKOFF_S * 2 ** min(connection.failures, 10), MAX_BACKOFF_S)
        values = {
            "error": error,
            "failures": connection.failures + 1,
            "failing_since": since,
            "next_at": _with_jitter(now(), pause_s),
            "status": "failing" if now() - since >= FAILING_AFTER else connection.status,
        }
        await connection_store.end_run(tx, connection.id, "failed", error)
        await connection_store.change(tx, connection.id, values)


def _with_jitter(moment: datetime, seconds: int) -> datetime:
    """Add the seconds with 10 % jitter, so that connections are not all due at once."""
    return moment + timedelta(seconds=seconds * random.uniform(0.9, 1.1) + random.uniform(0, 1))
