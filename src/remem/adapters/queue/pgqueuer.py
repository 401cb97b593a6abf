"""Jobs on the same PostgreSQL, by pgqueuer."""

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Collection, Mapping
from contextlib import asynccontextmanager, nullcontext, suppress
from dataclasses import dataclass, field
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
from pgqueuer.domain.models import HealthCheckEvent, TracebackRecord
from pgqueuer.domain.models import Job as QueuedJob
from pgqueuer.domain.types import JobId, QueueEntrypoint
from pgqueuer.ports.driver import NotifyCallback

from remem.core.db import Database, Tx
from remem.core.ports import JobHandler
from remem.core.queued import Job, WaitingJobs
from remem.core.scope import Bound

FIRST_DELAY_S = 1
MAX_DELAY_S = 300
# A worker that is silent for this long is taken for dead and its jobs are handed on.
HEARTBEAT = timedelta(seconds=5)
RECONNECT_S = 1
BEGUN, WAITS_FOR = "begun", "waits_for"
CUT_SHORT_S = 5
PROBE_TIMEOUT = timedelta(seconds=10)
BUSY_POLL = timedelta(seconds=1)

_WAITING = """
SELECT entrypoint, count(*)::int, coalesce(extract(epoch FROM now() - min(greatest(created,
  execute_after)) FILTER (WHERE execute_after <= now())), 0)::float8
FROM {table} WHERE status = 'queued' GROUP BY entrypoint
"""

# A trigger of the library tells the workers.
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
        driver = _Driver(self._db.sessions)
        places = _Places(driver)
        manager = _ListeningWorker(
            places, listening=driver.listening, background=_Background(frozenset(background))
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
        table = Queries(AsyncpgPoolDriver(self._db.sessions)).qbq.qualified.queue_table
        async with self._db.alone() as connection:
            rows = await connection.fetch(_WAKE.format(table=table), WAITS_FOR, service, limit)
        return len(rows)

    async def waiting(self) -> list[WaitingJobs]:
        table = Queries(AsyncpgPoolDriver(self._db.sessions)).qbq.qualified.queue_table
        async with self._db.alone() as connection:
            rows = await connection.fetch(_WAITING.format(table=table))
        return [WaitingJobs(*row) for row in rows]

    def _retrying(
        self, handler: JobHandler, places: "_Places", background: "_Background"
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
        self, background: "_Background", queued: QueuedJob, begin: JobHandler, job: Job
    ) -> None:
        waits = queued.entrypoint in background.names
        async with background.turn(queued) if waits else nullcontext():
            if waits and self._stopping.is_set():
                raise asyncio.CancelledError
            await begin(job)

    async def _begin(
        self, handler: JobHandler, places: "_Places", queued: QueuedJob, job: Job
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


class _Driver(AsyncpgPoolDriver):
    """Knows when it listens, and gives its connection back."""

    def __init__(self, pool: asyncpg.Pool) -> None:
        super().__init__(pool)
        self.listening = asyncio.Event()

    async def add_listener(self, channel: str, callback: NotifyCallback) -> None:
        await super().add_listener(channel, callback)
        self.listening.set()

    async def __aexit__(self, *error: object) -> None:
        """The library resets the listener's connection before it gives it back. A connection that
        was cut off fails at that, and would count as in use for as long as the process lives."""
        connection = self._listener_connection
        try:
            await super().__aexit__(*error)
        finally:
            if connection is not None:
                await self._pool.release(connection)


@dataclass
class _ListeningWorker(QueueManager):
    """Begins to probe its listener when there is one. The library begins before: a first probe
    that overtakes LISTEN is never heard, and ten seconds later the worker was taken for deaf."""

    listening: asyncio.Event = field(kw_only=True)
    background: "_Background" = field(kw_only=True)

    def entrypoints_below_capacity_limits(self) -> set[QueueEntrypoint]:
        """While a background job runs here, the others stay in the queue, for any worker."""
        every = super().entrypoints_below_capacity_limits()
        return every - self.background.names if self.background.is_busy else every

    async def fetch_jobs(
        self, batch_size: int, global_concurrency_limit: int | None, heartbeat_timeout: timedelta
    ) -> AsyncGenerator[QueuedJob, None]:
        """Noted here, because the next batch is taken before a job of this one has begun."""
        limits = (batch_size, global_concurrency_limit, heartbeat_timeout)
        async for job in super().fetch_jobs(*limits):
            self.background.note(job)
            yield job

    async def _effective_dequeue_timeout(self, dequeue_timeout: timedelta) -> timedelta:
        """The library asks again at once while anything waits, which these may do for hours. A
        new job wakes the worker in any case."""
        timeout = await super()._effective_dequeue_timeout(dequeue_timeout)
        return max(timeout, BUSY_POLL) if self.background.is_busy else timeout

    async def listener_healthy(
        self,
        timeout: timedelta = PROBE_TIMEOUT,  # noqa: ASYNC109 (the library's own name for it)
    ) -> HealthCheckEvent:
        await self.listening.wait()
        return await super().listener_healthy(timeout)


class _Background:
    """The names of the jobs of which a worker runs one at a time. Another that came in the same
    batch waits for its turn."""

    def __init__(self, names: frozenset[str]) -> None:
        self.names: frozenset[QueueEntrypoint] = frozenset(map(QueueEntrypoint, names))
        self._lock = asyncio.Lock()
        self._taken: set[JobId] = set()

    @property
    def is_busy(self) -> bool:
        return bool(self._taken)

    def note(self, job: QueuedJob) -> None:
        if job.entrypoint in self.names:
            self._taken.add(job.id)

    @asynccontextmanager
    async def turn(self, job: QueuedJob) -> AsyncIterator[None]:
        self._taken.add(job.id)
        try:
            async with self._lock:
                yield
        finally:
            self._taken.discard(job.id)


class _Places(Queries):
    """The queue's own SQL, but that it counts how often a job was begun, and that a job never ends
    because it could not be put back."""

    async def count_begun(self, tx: Tx, job: QueuedJob) -> None:
        """Kept before the work begins, because a process that dies tells nothing."""
        await tx.execute(
            f"UPDATE {self.qbq.qualified.queue_table}"
            " SET headers = jsonb_build_object($2::text, $3::int)"
            " WHERE id = $1",
            job.id,
            BEGUN,
            _begun(job) + 1,
        )

    async def note_waits_for(self, job: QueuedJob, service: str) -> None:
        """Until it is begun again. Without it the job only comes a little later."""
        query = (
            f"UPDATE {self.qbq.qualified.queue_table}"
            " SET headers = coalesce(headers, '{}') || jsonb_build_object($2::text, $3::text)"
            " WHERE id = $1"
        )
        try:
            await self.driver.execute(query, job.id, WAITS_FOR, service)
        except Exception as error:
            log.warning("job_wait_not_noted", job=job.entrypoint, error=type(error).__name__)

    async def retry_job(
        self, job: QueuedJob, delay: timedelta, traceback_record: TracebackRecord | None
    ) -> None:
        """A job that stays where it is misses its heartbeat, and is taken up again."""
        try:
            await super().retry_job(job, delay, traceback_record)
        except Exception as error:
            log.warning("job_not_put_back", job=job.entrypoint, error=type(error).__name__)


async def _attempt(handler: JobHandler, queued: QueuedJob, places: _Places) -> None:
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


def _begun(queued: QueuedJob) -> int:
    count = (queued.headers or {}).get(BEGUN)
    return count if isinstance(count, int) else 0


def _decode(queued: QueuedJob) -> Job:
    # What was begun and neither finished nor put back.
    lost = max(0, _begun(queued) - queued.attempts)
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
