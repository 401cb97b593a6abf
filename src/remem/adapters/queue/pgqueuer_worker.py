"""Subclasses of pgqueuer's classes: its listener, background jobs and SQL."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta

import asyncpg
import structlog
from pgqueuer.adapters.drivers.asyncpg import AsyncpgPoolDriver
from pgqueuer.adapters.persistence.queries import Queries
from pgqueuer.core.qm import QueueManager
from pgqueuer.domain.models import HealthCheckEvent, TableChangedEvent, TracebackRecord, utc_now
from pgqueuer.domain.models import Job as QueuedJob
from pgqueuer.domain.types import JobId, QueueEntrypoint
from pgqueuer.ports.driver import NotifyCallback

from remem.core.transaction import SystemTx

BEGUN, WAITS_FOR = "begun", "waits_for"
PROBE_TIMEOUT = timedelta(seconds=10)
BUSY_POLL = timedelta(seconds=1)

log = structlog.get_logger()


class ListeningDriver(AsyncpgPoolDriver):
    """Sets an event once it listens, and always releases its connection."""

    def __init__(self, pool: asyncpg.Pool) -> None:
        super().__init__(pool)
        self.listening = asyncio.Event()

    async def add_listener(self, channel: str, callback: NotifyCallback) -> None:
        await super().add_listener(channel, callback)
        self.listening.set()

    async def __aexit__(self, *error: object) -> None:
        """The library resets the listener's connection before it releases it. On a lost connection
        that fails, and the pool would count it as in use for as long as the process lives."""
        connection = self._listener_connection
        try:
            await super().__aexit__(*error)
        finally:
            if connection is not None:
                await self._pool.release(connection)


@dataclass
class ListeningWorker(QueueManager):
    """Waits for LISTEN before it probes its listener. The library does not: a probe sent before
    LISTEN is never received, and after ten seconds the listener counts as failed."""

    listening: asyncio.Event = field(kw_only=True)
    background: "BackgroundTurns" = field(kw_only=True)
    large: "LargeJobs" = field(kw_only=True)

    def entrypoints_below_capacity_limits(self) -> set[QueueEntrypoint]:
        """While a background job or enough large ones run here, leave the others in the queue for
        any worker."""
        entrypoints = super().entrypoints_below_capacity_limits()
        if self.background.is_busy:
            entrypoints -= self.background.names
        return entrypoints - self.large.names if self.large.is_full else entrypoints

    async def fetch_jobs(
        self, batch_size: int, global_concurrency_limit: int | None, heartbeat_timeout: timedelta
    ) -> AsyncGenerator[QueuedJob, None]:
        """Note background and large jobs: the next batch is fetched before jobs of this one
        begin."""
        limits = (batch_size, global_concurrency_limit, heartbeat_timeout)
        async for job in super().fetch_jobs(*limits):
            self.background.note(job)
            self.large.note(job)
            yield job

    async def _effective_dequeue_timeout(self, dequeue_timeout: timedelta) -> timedelta:
        """The library polls without a pause while jobs wait, and background jobs may do so for
        hours. A new job wakes the worker in any case."""
        timeout = await super()._effective_dequeue_timeout(dequeue_timeout)
        is_limited = self.background.is_busy or self.large.is_full
        return max(timeout, BUSY_POLL) if is_limited else timeout

    async def listener_healthy(
        self,
        timeout: timedelta = PROBE_TIMEOUT,  # noqa: ASYNC109 (the library's own name for it)
    ) -> HealthCheckEvent:
        await self.listening.wait()
        return await super().listener_healthy(timeout)


_LARGE = ".large"


def large_name(name: str) -> str:
    """The name in the queue of a large job."""
    return name + _LARGE


def job_name(queued_name: str) -> str:
    return queued_name.removesuffix(_LARGE)


class LargeJobs:
    """The large jobs that a worker runs. At the limit no more are fetched, so that a small one can
    always begin."""

    def __init__(self, names: Iterable[str], limit: int) -> None:
        self.names: frozenset[QueueEntrypoint] = frozenset(
            QueueEntrypoint(large_name(name)) for name in names
        )
        self._limit = limit
        self._fetched: set[JobId] = set()

    @property
    def is_full(self) -> bool:
        return len(self._fetched) >= self._limit

    def note(self, job: QueuedJob) -> None:
        if job.entrypoint in self.names:
            self._fetched.add(job.id)

    def done(self, job: QueuedJob) -> None:
        self._fetched.discard(job.id)


class BackgroundTurns:
    """The jobs of which a worker runs one at a time. Others of the same batch wait for their
    turn."""

    def __init__(self, names: frozenset[str]) -> None:
        self.names: frozenset[QueueEntrypoint] = frozenset(map(QueueEntrypoint, names))
        self._lock = asyncio.Lock()
        self._fetched: set[JobId] = set()

    @property
    def is_busy(self) -> bool:
        return bool(self._fetched)

    def note(self, job: QueuedJob) -> None:
        if job.entrypoint in self.names:
            self._fetched.add(job.id)

    @asynccontextmanager
    async def turn(self, job: QueuedJob) -> AsyncIterator[None]:
        self._fetched.add(job.id)
        try:
            async with self._lock:
                yield
        finally:
            self._fetched.discard(job.id)


@dataclass
class QueueSql(Queries):
    """The queue's SQL, which also counts how often a job was begun. An error while putting a job
    back does not end the job."""

    # Jobs that were fetched but not begun: putting them back is no attempt.
    not_begun: set[JobId] = field(default_factory=set, init=False)

    async def count_begun(self, tx: SystemTx, job: QueuedJob) -> None:
        """Count a begun job before it runs, because a process that dies reports nothing."""
        await tx.execute(
            f"UPDATE {self.qbq.qualified.queue_table}"
            " SET headers = jsonb_build_object($2::text, $3::int)"
            " WHERE id = $1",
            job.id,
            BEGUN,
            times_begun(job) + 1,
        )

    async def set_waits_for(self, job: QueuedJob, service: str) -> None:
        """Note which service a job waits for until it begins again. Failing only delays the job."""
        query = (
            f"UPDATE {self.qbq.qualified.queue_table}"
            " SET headers = coalesce(headers, '{}') || jsonb_build_object($2::text, $3::text)"
            " WHERE id = $1"
        )
        try:
            await self.driver.execute(query, job.id, WAITS_FOR, service)
        except Exception as error:
            log.warning("job_wait_not_noted", job=job.entrypoint, error=type(error).__name__)

    async def notify_of_update(self) -> None:
        """Make all workers check when their next job is due. The library's trigger notifies of new
        jobs but not of updates, so a worker would sleep until its next poll."""
        channel = self.qbq.settings.channel
        event = TableChangedEvent(
            channel=channel,
            sent_at=utc_now(),
            type="table_changed_event",
            operation="update",
            table=self.qbq.settings.queue_table,
        )
        await self.driver.notify(channel, event.model_dump_json())

    async def retry_job(
        self, job: QueuedJob, delay: timedelta, traceback_record: TracebackRecord | None
    ) -> None:
        """Put a job back. If that fails, the job misses its heartbeat and is fetched again."""
        try:
            if job.id in self.not_begun:
                self.not_begun.discard(job.id)
                await self._put_behind_others(job, delay)
            else:
                await super().retry_job(job, delay, traceback_record)
            await self.notify_of_update()
        except Exception as error:
            log.warning("job_not_put_back", job=job.entrypoint, error=type(error).__name__)

    async def _put_behind_others(self, job: QueuedJob, delay: timedelta) -> None:
        """Put a job back behind those that wait now: its turn was long ago."""
        query = (
            f"UPDATE {self.qbq.qualified.queue_table} SET status = 'queued',"
            " execute_after = now() + $2::interval, updated = now(), queue_manager_id = NULL,"
            " priority = least(priority,"
            " -extract(epoch FROM now() - '2025-01-01'::timestamptz)::int - 1) WHERE id = $1"
        )
        await self.driver.execute(query, job.id, delay)


def times_begun(queued: QueuedJob) -> int:
    count = (queued.headers or {}).get(BEGUN)
    return count if isinstance(count, int) else 0
