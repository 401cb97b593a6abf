"""Jobs on the same PostgreSQL, by pgqueuer."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Collection, Mapping
from contextlib import nullcontext, suppress
from datetime import timedelta
from functools import partial
from typing import cast
from uuid import UUID

import asyncpg
import structlog
from pgqueuer.adapters.drivers.asyncpg import AsyncpgDriver, AsyncpgPoolDriver
from pgqueuer.adapters.persistence.queries import Queries
from pgqueuer.core.qm import QueueManager
from pgqueuer.domain.errors import RetryRequested
from pgqueuer.domain.models import Job as QueuedJob

from remem.adapters.queue.pgqueuer_worker import (
    WAITS_FOR,
    BackgroundTurns,
    ListeningDriver,
    ListeningWorker,
    QueueSql,
    times_begun,
)
from remem.core.db import Database, Tx
from remem.core.ports import JobHandler
from remem.core.queued import Job, WaitingJobs
from remem.core.scope import Bound

FIRST_DELAY_S = 1
MAX_DELAY_S = 300
# A worker that is silent for this long is taken for dead and its jobs are handed on.
HEARTBEAT = timedelta(seconds=5)
RECONNECT_S = 1
CUT_SHORT_S = 5

_WAITING = """
SELECT entrypoint, count(*)::int, coalesce(extract(epoch FROM now() - min(greatest(created,
  execute_after)) FILTER (WHERE execute_after <= now())), 0)::float8
FROM {table} WHERE status = 'queued' GROUP BY entrypoint
"""

_WAKE = """
UPDATE {table} SET execute_after = now(), updated = now() WHERE id IN (
  SELECT id FROM {table} WHERE status = 'queued' AND headers ->> $1 = $2 AND execute_after > now()
  ORDER BY attempts, id LIMIT $3 FOR UPDATE SKIP LOCKED)
RETURNING id
"""

log = structlog.get_logger()


class PgQueuerQueue:
    def __init__(self, db: Database, heartbeat: timedelta = HEARTBEAT) -> None:
        self._db = db
        self._heartbeat = heartbeat
        self._stopping = asyncio.Event()
        self._manager: QueueManager | None = None
        self._running: set[asyncio.Task[object]] = set()
        # Of jobs that a dead worker left, one may have killed it: by turns they show which.
        self._suspects = asyncio.Lock()

    async def prepare(self) -> None:
        async with self._db.sessions.acquire() as connection:
            queries = Queries(AsyncpgDriver(connection))
            async with queries.schema_lock():
                if await queries.schema_is_installed():
                    for statement in (await queries.plan_upgrade()).statements:
                        await connection.execute(statement)
                else:
                    await queries.install()

    async def enqueue(
        self, tx: Tx, job: Job, *, delay: timedelta | None = None, priority: int = 0
    ) -> None:
        driver = AsyncpgDriver(cast(asyncpg.Connection, tx))
        await Queries(driver).enqueue(job.name, _encode(job), priority, execute_after=delay)

    async def work(
        self,
        handlers: Mapping[str, JobHandler],
        *,
        concurrency: int,
        background: Collection[str] = (),
    ) -> None:
        """Work until drained; a lost database is waited for, not given up on. Cancelled, it puts
        back what runs."""
        while not self._stopping.is_set():
            self._manager = self._make_manager(handlers, background)
            working = asyncio.create_task(self._run(self._manager, concurrency))
            try:
                await asyncio.wait([working])
                working.result()
            except asyncio.CancelledError:
                await self._cut_short(working)
                raise
            except Exception as error:
                log.warning("worker_interrupted", error=type(error).__name__)
                await self._wait_for_database()

    def _make_manager(
        self, handlers: Mapping[str, JobHandler], background: Collection[str]
    ) -> QueueManager:
        driver = ListeningDriver(self._db.sessions)
        places = QueueSql(driver)
        manager = ListeningWorker(
            places, listening=driver.listening, background=BackgroundTurns(frozenset(background))
        )
        for name, handler in handlers.items():
            entrypoint = manager.entrypoint(name, on_failure="hold", accepts_context=False)
            entrypoint(self._retrying(handler, places, manager.background))
        return manager

    async def _run(self, manager: QueueManager, concurrency: int) -> None:
        await manager.run(
            batch_size=max(1, concurrency // 2),
            max_concurrent_tasks=max(2, concurrency),
            # As often as a worker may be found dead, we look for what it leaves.
            dequeue_timeout=self._heartbeat,
            heartbeat_timeout=self._heartbeat,
            # Without its listener a worker only polls; restart with one that listens.
            shutdown_on_listener_failure=True,
        )

    async def _wait_for_database(self) -> None:
        with suppress(TimeoutError):
            await asyncio.wait_for(self._stopping.wait(), RECONNECT_S)
        try:
            await self._db.ping()
        except Exception as error:
            log.info("database_awaited", error=type(error).__name__)

    async def _cut_short(self, working: asyncio.Task[None]) -> None:
        self.drain()
        for task in self._running:
            task.cancel()
        await asyncio.wait([working], timeout=CUT_SHORT_S)
        working.cancel()

    def drain(self) -> None:
        self._stopping.set()
        if self._manager:
            self._manager.shutdown.set()

    async def depth(self) -> int:
        statistics = await Queries(AsyncpgPoolDriver(self._db.sessions)).queue_size()
        return sum(row.count for row in statistics if row.status == "queued")

    async def wake(self, service: str, limit: int | None = None) -> int:
        async with self._db.alone() as connection:
            places = QueueSql(AsyncpgDriver(cast(asyncpg.Connection, connection)))
            wake = _WAKE.format(table=places.qbq.qualified.queue_table)
            rows = await connection.fetch(wake, WAITS_FOR, service, limit)
            if rows:
                await places.notify_of_update()
        return len(rows)

    async def waiting(self) -> list[WaitingJobs]:
        table = Queries(AsyncpgPoolDriver(self._db.sessions)).qbq.qualified.queue_table
        async with self._db.alone() as connection:
            rows = await connection.fetch(_WAITING.format(table=table))
        return [WaitingJobs(*row) for row in rows]

    def _retrying(
        self, handler: JobHandler, places: "QueueSql", background: "BackgroundTurns"
    ) -> Callable[[QueuedJob], Awaitable[None]]:
        async def handle(queued: QueuedJob) -> None:
            task = asyncio.current_task()
            assert task is not None
            self._running.add(task)
            try:
                begin = partial(self._begin, handler, places, queued)
                await _attempt(partial(self._in_turn, background, queued, begin), queued, places)
            finally:
                self._running.discard(task)

        return handle

    async def _in_turn(
        self, background: "BackgroundTurns", queued: QueuedJob, begin: JobHandler, job: Job
    ) -> None:
        waits = queued.entrypoint in background.names
        async with background.turn(queued) if waits else nullcontext():
            if waits and self._stopping.is_set():
                raise asyncio.CancelledError
            await begin(job)

    async def _begin(
        self, handler: JobHandler, places: "QueueSql", queued: QueuedJob, job: Job
    ) -> None:
        if job.lost:
            log.warning("job_lost", job=job.name, attempt=job.attempt, lost=job.lost)
        async with self._suspects if job.lost else nullcontext():
            if not job.is_crash_loop:
                async with self._db.transaction(Bound()) as tx:
                    await places.count_begun(tx, queued)
            await handler(job)


class JobFailed(Exception):
    """Names what a job failed of; what it said may contain content, and is the tenant's to see."""


async def _attempt(handler: JobHandler, queued: QueuedJob, places: QueueSql) -> None:
    job = _decode(queued)
    try:
        await handler(job)
    except asyncio.CancelledError:
        raise RetryRequested(timedelta(0), "cut short") from None
    except Exception as error:
        reason = type(error).__name__
        last = job.is_last(error)
        log.warning("job_failed", job=job.name, attempt=job.attempt, last=last, error=reason)
        if last:
            raise JobFailed(reason) from None
        if service := _service_of(error):
            await places.note_waits_for(queued, service)
        delay_s = min(FIRST_DELAY_S * 2 ** min(queued.attempts, 20), MAX_DELAY_S)
        raise RetryRequested(timedelta(seconds=delay_s), reason) from None


def _service_of(error: BaseException | None) -> str | None:
    """The service that is down, as the error says or what it came of."""
    while error is not None:
        if service := getattr(error, "service", None):
            return service
        error = error.__cause__ or error.__context__
    return None


def _encode(job: Job) -> bytes:
    ids = (job.id, job.tenant_id, job.user_id, job.subject_id)
    return json.dumps([str(id) for id in ids]).encode()


def _decode(queued: QueuedJob) -> Job:
    # What was begun and neither finished nor put back.
    lost = max(0, times_begun(queued) - queued.attempts)
    id, tenant_id, user_id, subject_id = (UUID(text) for text in json.loads(queued.payload or b""))
    return Job(
        id=id,
        name=queued.entrypoint,
        tenant_id=tenant_id,
        user_id=user_id,
        subject_id=subject_id,
        attempt=queued.attempts + lost + 1,
        lost=lost,
    )
