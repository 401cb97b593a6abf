"""What remem changes in pgqueuer's own classes: the listener, its turns, and its SQL."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
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

from remem.core.db import Tx

BEGUN, WAITS_FOR = "begun", "waits_for"
PROBE_TIMEOUT = timedelta(seconds=10)
BUSY_POLL = timedelta(seconds=1)

log = structlog.get_logger()


class ListeningDriver(AsyncpgPoolDriver):
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
class ListeningWorker(QueueManager):
    """Begins to probe its listener when there is one. The library begins before: a first probe
    that overtakes LISTEN is never heard, and ten seconds later the worker was taken for deaf."""

    listening: asyncio.Event = field(kw_only=True)
    background: "BackgroundTurns" = field(kw_only=True)

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


class BackgroundTurns:
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


class QueueSql(Queries):
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
            times_begun(job) + 1,
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

    async def notify_of_update(self) -> None:
        """Make every worker look when its next job is due. The trigger of the library notifies of
        new jobs, but not of an update, and a worker would sleep on until its next poll."""
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
        """A job that stays where it is misses its heartbeat, and is taken up again."""
        try:
            await super().retry_job(job, delay, traceback_record)
            await self.notify_of_update()
        except Exception as error:
            log.warning("job_not_put_back", job=job.entrypoint, error=type(error).__name__)


def times_begun(queued: QueuedJob) -> int:
    count = (queued.headers or {}).get(BEGUN)
    return count if isinstance(count, int) else 0
