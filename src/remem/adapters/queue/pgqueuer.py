"""Jobs in the same PostgreSQL, with pgqueuer."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping
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
    LargeJobs,
    ListeningDriver,
    ListeningWorker,
    QueueSql,
    job_name,
    large_name,
    times_begun,
)
from remem.core.db import Database
from remem.core.ports import JobHandler
from remem.core.queued import Job, WaitingJobs
from remem.core.scope import Bound
from remem.core.transaction import AnyTx

FIRST_DELAY_S = 1
MAX_DELAY_S = 300
# A worker without a heartbeat for this long counts as dead; other workers get its jobs.
HEARTBEAT = timedelta(seconds=5)
RECONNECT_S = 1
CANCEL_TIMEOUT_S = 5
# How long a job of a dead worker leaves its slot to others while another such job runs.
LOST_DELAY = timedelta(seconds=1)

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


async def install(connection: asyncpg.Connection) -> None:
    """Create or upgrade the tables of the queue."""
    queries = Queries(AsyncpgDriver(connection))
    async with queries.schema_lock():
        if await queries.schema_is_installed():
            for statement in (await queries.plan_upgrade()).statements:
                await connection.execute(statement)
        else:
            await queries.install()


class PgQueuerQueue:
    def __init__(self, db: Database, heartbeat: timedelta = HEARTBEAT) -> None:
        self._db = db
        self._heartbeat = heartbeat
        self._stopping = asyncio.Event()
        self._manager: QueueManager | None = None
        self._running: set[asyncio.Task[object]] = set()
        # A job of a dead worker may have killed it. Running these one at a time shows which.
        self._lost_jobs_lock = asyncio.Lock()

    async def prepare(self) -> None:
        async with self._db.sessions.acquire() as connection:
            await install(cast(asyncpg.Connection, connection))

    async def enqueue(
        self,
        tx: AnyTx,
        job: Job,
        *,
        delay: timedelta | None = None,
        priority: int = 0,
        large: bool = False,
    ) -> None:
        driver = AsyncpgDriver(cast(asyncpg.Connection, tx.connection))
        name = large_name(job.name) if large else job.name
        await Queries(driver).enqueue(name, _encode(job), priority, execute_after=delay)

    async def work(
        self,
        handlers: Mapping[str, JobHandler],
        *,
        concurrency: int,
        background: Collection[str] = (),
    ) -> None:
        """Work until drained, and wait for the database if the connection is lost. Cancelling puts
        running jobs back."""
        while not self._stopping.is_set():
            large = LargeJobs(handlers, concurrency - _batch_size(concurrency))
            self._manager = self._make_manager(handlers, background, large)
            working = asyncio.create_task(self._run(self._manager, concurrency))
            try:
                await asyncio.wait([working])
                working.result()
            except asyncio.CancelledError:
                await self._cancel_running(working)
                raise
            except Exception as error:
                log.warning("worker_interrupted", error=type(error).__name__)
                await self._wait_for_database()

    def _make_manager(
        self, handlers: Mapping[str, JobHandler], background: Collection[str], large: LargeJobs
    ) -> QueueManager:
        driver = ListeningDriver(self._db.sessions)
        queries = QueueSql(driver)
        manager = ListeningWorker(
            queries,
            listening=driver.listening,
            background=BackgroundTurns(frozenset(background)),
            large=large,
        )
        for name, handler in handlers.items():
            for queued_name in (name, large_name(name)):
                entrypoint = manager.entrypoint(
                    queued_name, on_failure="hold", accepts_context=False
                )
                entrypoint(self._make_handler(handler, queries, manager))
        return manager

    async def _run(self, manager: QueueManager, concurrency: int) -> None:
        await manager.run(
            batch_size=_batch_size(concurrency),
            max_concurrent_tasks=max(2, concurrency),
            # Look for the jobs of dead workers as often as a worker can be found dead.
            dequeue_timeout=self._heartbeat,
            heartbeat_timeout=self._heartbeat,
            # Without its listener, a worker only polls; stop it, to restart it with a new listener.
            shutdown_on_listener_failure=True,
        )

    async def _wait_for_database(self) -> None:
        with suppress(TimeoutError):
            await asyncio.wait_for(self._stopping.wait(), RECONNECT_S)
        try:
            await self._db.ping()
        except Exception as error:
            log.info("database_awaited", error=type(error).__name__)

    async def _cancel_running(self, working: asyncio.Task[None]) -> None:
        self.drain()
        for task in self._running:
            task.cancel()
        await asyncio.wait([working], timeout=CANCEL_TIMEOUT_S)
        working.cancel()

    def drain(self) -> None:
        self._stopping.set()
        if self._manager:
            self._manager.shutdown.set()

    async def depth(self) -> int:
        statistics = await Queries(AsyncpgPoolDriver(self._db.sessions)).queue_size()
        return sum(row.count for row in statistics if row.status == "queued")

    async def wake(self, service: str, limit: int | None = None) -> int:
        async with self._db.unbound() as tx:
            queries = QueueSql(AsyncpgDriver(cast(asyncpg.Connection, tx.connection)))
            wake = _WAKE.format(table=queries.qbq.qualified.queue_table)
            rows = await tx.fetch(wake, WAITS_FOR, service, limit)
            if rows:
                await queries.notify_of_update()
        return len(rows)

    async def waiting(self) -> list[WaitingJobs]:
        table = Queries(AsyncpgPoolDriver(self._db.sessions)).qbq.qualified.queue_table
        async with self._db.unbound() as tx:
            rows = await tx.fetch(_WAITING.format(table=table))
        return _merge(WaitingJobs(job_name(name), *counts) for name, *counts in rows)

    def _make_handler(
        self, handler: JobHandler, queries: "QueueSql", worker: ListeningWorker
    ) -> Callable[[QueuedJob], Awaitable[None]]:
        async def handle(queued: QueuedJob) -> None:
            task = asyncio.current_task()
            assert task is not None
            self._running.add(task)
            try:
                begin = partial(self._begin, handler, queries, queued)
                await _attempt(
                    partial(self._run_in_turn, worker.background, queued, begin), queued, queries
                )
            finally:
                self._running.discard(task)
                worker.large.done(queued)

        return handle

    async def _run_in_turn(
        self, background: "BackgroundTurns", queued: QueuedJob, begin: JobHandler, job: Job
    ) -> None:
        is_background = queued.entrypoint in background.names
        async with background.turn(queued) if is_background else nullcontext():
            if is_background and self._stopping.is_set():
                raise asyncio.CancelledError
            await begin(job)

    async def _begin(
        self, handler: JobHandler, queries: "QueueSql", queued: QueuedJob, job: Job
    ) -> None:
        if job.lost:
            log.warning("job_lost", job=job.name, attempt=job.attempt, lost=job.lost)
        if job.lost and self._lost_jobs_lock.locked():
            raise _AnotherIsTried
        async with self._lost_jobs_lock if job.lost else nullcontext():
            if not job.is_crash_loop:
                async with self._db.transaction(Bound()) as tx:
                    await queries.count_begun(tx, queued)
            await handler(job)


class _AnotherIsTried(Exception):
    """A lost job must wait for another one, and leaves its slot meanwhile."""


class JobFailed(Exception):
    """Contains the type of a job's error only: its message may contain the tenant's content."""


async def _attempt(handler: JobHandler, queued: QueuedJob, queries: QueueSql) -> None:
    job = _decode(queued)
    try:
        await handler(job)
    except asyncio.CancelledError:
        raise RetryRequested(timedelta(0), "cut short") from None
    except _AnotherIsTried:
        queries.not_begun.add(queued.id)
        raise RetryRequested(LOST_DELAY, "another lost job runs") from None
    except Exception as error:
        reason = type(error).__name__
        is_last = job.is_last(error)
        log.warning("job_failed", job=job.name, attempt=job.attempt, last=is_last, error=reason)
        if is_last:
            raise JobFailed(reason) from None
        if service := _find_service(error):
            await queries.set_waits_for(queued, service)
        delay_s = min(FIRST_DELAY_S * 2 ** min(queued.attempts, 20), MAX_DELAY_S)
        raise RetryRequested(timedelta(seconds=delay_s), reason) from None


def _find_service(error: BaseException | None) -> str | None:
    """The service that is down, from the error or one of its causes."""
    while error is not None:
        if service := getattr(error, "service", None):
            return service
        error = error.__cause__ or error.__context__
    return None


def _batch_size(concurrency: int) -> int:
    return max(1, concurrency // 2)


def _merge(waiting: Iterable[WaitingJobs]) -> list[WaitingJobs]:
    """Count the large and the small jobs of one name together."""
    merged: dict[str, WaitingJobs] = {}
    for jobs in waiting:
        same = merged.get(jobs.name, WaitingJobs(jobs.name, 0, 0.0))
        oldest_s = max(same.oldest_s, jobs.oldest_s)
        merged[jobs.name] = WaitingJobs(jobs.name, same.count + jobs.count, oldest_s)
    return list(merged.values())


def _encode(job: Job) -> bytes:
    ids = (job.id, job.tenant_id, job.user_id, job.subject_id)
    return json.dumps([str(id) for id in ids]).encode()


def _decode(queued: QueuedJob) -> Job:
    # How often the job was begun but neither finished nor put back.
    lost = max(0, times_begun(queued) - queued.attempts)
    id, tenant_id, user_id, subject_id = (UUID(text) for text in json.loads(queued.payload or b""))
    return Job(
        id=id,
        name=job_name(queued.entrypoint),
        tenant_id=tenant_id,
        user_id=user_id,
        subject_id=subject_id,
        attempt=queued.attempts + lost + 1,
        lost=lost,
    )
