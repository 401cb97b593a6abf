"""The queue: a job runs at least once whatever crashes, and exactly once when nothing does."""

import asyncio
import os
import signal
import subprocess
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial
from itertools import pairwise
from typing import Any

import anyio
import asyncpg
import pytest
from pgqueuer.adapters.drivers.asyncpg import AsyncpgPoolDriver

from remem.adapters.circuit import Circuit, Tolerance
from remem.adapters.queue import pgqueuer
from remem.adapters.queue.pgqueuer import PgQueuerQueue
from remem.core.db import Database
from remem.core.errors import Unavailable
from remem.core.jobs.wake import JobWaker
from remem.core.ports import JobHandler, Ports
from remem.core.queued import ATTEMPTS, MAX_LOSSES, Job
from remem.core.scope import Bound, Scope
from remem.core.time import new_id
from remem.core.transaction import AnyTx
from tests.conftest import Server
from tests.core.scratch import SUPERUSER, connected, scratch_database, url
from tests.tools.preloaded import code_process

pytestmark = pytest.mark.anyio

TIMEOUT_S = 120
FAST_HEARTBEAT = timedelta(seconds=0.5)
# Slow enough that a worker on a busy machine is not taken for dead.
SLOW_HEARTBEAT = timedelta(seconds=3)

WORKER = """
import asyncio, os, signal, sys
from datetime import timedelta
from remem.adapters.queue.pgqueuer import PgQueuerQueue
from remem.bootstrap import open_ports
from remem.settings import Settings

async def hang(job):
    print("begun", flush=True)
    await asyncio.Event().wait()

async def die(job):
    os.kill(os.getpid(), signal.SIGKILL)

async def main(name, handler):
    async with open_ports(Settings(analysis_processes=0)) as ports:
        queue = PgQueuerQueue(ports.db, heartbeat=timedelta(seconds=0.5))
        await queue.work({name: handler}, concurrency=4)

asyncio.run(main(sys.argv[1], {"hang": hang, "die": die}[sys.argv[2]]))
"""


@dataclass(frozen=True)
class Jobs:
    """Jobs with a name of their own, which no other worker handles."""

    db: Database
    queue: PgQueuerQueue
    scope: Scope
    name: str

    async def add(self, delay: timedelta | None = None) -> Job:
        """Add a job; lost connections of the pool are noticed one at a time, so retry."""
        with anyio.fail_after(TIMEOUT_S):
            while True:
                try:
                    async with self.db.transaction(Bound()) as tx:
                        return await self.add_in(tx, delay)
                except Unavailable:
                    await anyio.sleep(0.02)

    async def add_in(self, tx: AnyTx, delay: timedelta | None = None) -> Job:
        job = Job(new_id(), self.name, self.scope.tenant_id, self.scope.user_id, new_id())
        await self.queue.enqueue(tx, job, delay=delay)
        return job

    async def states(self) -> list[tuple[str, int]]:
        """State and number of attempts of each job in the queue."""
        async with self.db.pool.acquire() as connection:
            rows = await connection.fetch(
                "SELECT status::text, attempts FROM pgqueuer WHERE entrypoint = $1 ORDER BY id",
                self.name,
            )
        return [(row["status"], row["attempts"]) for row in rows]

    async def wait_for(self, *states: tuple[str, int]) -> None:
        await wait_until(lambda: self._has_states(states))

    async def _has_states(self, states: tuple[tuple[str, int], ...]) -> bool:
        try:
            return await self.states() == list(states)
        except (
            OSError,
            asyncpg.PostgresError,
            asyncpg.InterfaceError,
            asyncpg.InternalClientError,
        ):
            return False


async def wait_until(condition: Callable[[], Awaitable[bool]]) -> None:
    with anyio.fail_after(TIMEOUT_S):
        while not await condition():
            await anyio.sleep(0.02)


async def wait_for_event(event: asyncio.Event) -> None:
    await asyncio.wait_for(event.wait(), TIMEOUT_S)


@asynccontextmanager
async def running_worker(
    db: Database,
    handlers: Mapping[str, JobHandler],
    heartbeat: timedelta = pgqueuer.HEARTBEAT,
    concurrency: int = 4,
    background: frozenset[str] = frozenset(),
) -> AsyncIterator[tuple[PgQueuerQueue, asyncio.Task[None]]]:
    """Run a worker; at the end of the block it is drained and must stop."""
    queue = PgQueuerQueue(db, heartbeat=heartbeat)
    task = asyncio.create_task(queue.work(handlers, concurrency=concurrency, background=background))
    try:
        yield queue, task
    finally:
        queue.drain()
        if not task.cancelled():
            await asyncio.wait_for(task, TIMEOUT_S)


@pytest.fixture
def jobs(ports: Ports, scope: Scope) -> Jobs:
    return Jobs(ports.db, PgQueuerQueue(ports.db), scope, f"test_{new_id().hex}")


@pytest.fixture
def quick_retries(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pgqueuer, "FIRST_DELAY_S", 0.05)


# Enqueueing in a transaction


async def test_a_job_of_a_rolled_back_transaction_is_not_enqueued(jobs: Jobs) -> None:
    with pytest.raises(RuntimeError):
        async with jobs.db.transaction(Bound()) as tx:
            await jobs.add_in(tx)
            raise RuntimeError
    assert await jobs.states() == []


async def test_a_job_is_enqueued_when_its_transaction_commits(jobs: Jobs) -> None:
    async with jobs.db.transaction(Bound()) as tx:
        await jobs.add_in(tx)
        assert await jobs.states() == [], "not before the commit"
    assert await jobs.states() == [("queued", 0)]


async def test_depth_counts_waiting_jobs(jobs: Jobs) -> None:
    depth_before = await jobs.queue.depth()
    for _ in range(3):
        await jobs.add(delay=timedelta(hours=1))
    assert await jobs.queue.depth() >= depth_before + 3


async def test_preparing_again_and_concurrently_changes_nothing(jobs: Jobs) -> None:
    await jobs.add(delay=timedelta(hours=1))
    await asyncio.gather(*(PgQueuerQueue(jobs.db).prepare() for _ in range(4)))
    assert await jobs.states() == [("queued", 0)]


# Running


async def test_a_handler_gets_the_whole_job(jobs: Jobs) -> None:
    job, seen, done = await jobs.add(), [], asyncio.Event()

    async def handle(job_seen: Job) -> None:
        seen.append(job_seen)
        done.set()

    async with running_worker(jobs.db, {jobs.name: handle}):
        await wait_for_event(done)
        await jobs.wait_for()
    assert seen == [job]


async def test_every_job_is_done_once_by_one_of_several_workers(jobs: Jobs) -> None:
    added = [(await jobs.add()).id for _ in range(30)]
    done: list[tuple[int, object]] = []

    def worker(number: int) -> JobHandler:
        async def handle(job: Job) -> None:
            done.append((number, job.id))

        return handle

    async with (
        running_worker(jobs.db, {jobs.name: worker(1)}),
        running_worker(jobs.db, {jobs.name: worker(2)}),
    ):
        await jobs.wait_for()
    assert sorted(id for _, id in done) == sorted(added)


async def test_a_job_added_while_a_worker_waits_is_done(jobs: Jobs) -> None:
    done: list[object] = []

    async def handle(job: Job) -> None:
        done.append(job.id)

    async with running_worker(jobs.db, {jobs.name: handle}):
        for _ in range(3):
            job = await jobs.add()
            await jobs.wait_for()
            assert done[-1] == job.id
    assert len(done) == 3


async def test_concurrency_is_used_and_not_exceeded(jobs: Jobs) -> None:
    running, max_running, full = 0, 0, asyncio.Event()
    for _ in range(12):
        await jobs.add()

    async def handle(job: Job) -> None:
        nonlocal running, max_running
        running += 1
        max_running = max(max_running, running)
        if running == 3:
            full.set()
        await wait_for_event(full)
        await jobs.states()
        running -= 1

    async with running_worker(jobs.db, {jobs.name: handle}, concurrency=3):
        await jobs.wait_for()
    assert max_running == 3


async def test_one_background_job_runs_and_leaves_room_for_others(jobs: Jobs) -> None:
    background_jobs = replace(jobs, name=f"{jobs.name}_behind")
    running, max_running, other_ran = 0, 0, asyncio.Event()
    for _ in range(6):
        await background_jobs.add()

    async def handle_background(job: Job) -> None:
        nonlocal running, max_running
        running += 1
        max_running = max(max_running, running)
        await wait_for_event(other_ran)
        await jobs.states()
        running -= 1

    async def handle(job: Job) -> None:
        assert running == 1
        other_ran.set()

    handlers = {background_jobs.name: handle_background, jobs.name: handle}
    async with running_worker(jobs.db, handlers, background=frozenset({background_jobs.name})):
        await wait_until(lambda: _has_picked_job(background_jobs))
        await jobs.add()
        await wait_for_event(other_ran)
        picked_count = [status for status, _ in await background_jobs.states()].count("picked")
        await background_jobs.wait_for()
    assert max_running == 1
    # At most as many as one batch has.
    assert picked_count <= 2


async def _has_picked_job(jobs: Jobs) -> bool:
    return any(status == "picked" for status, _ in await jobs.states())


async def test_a_background_job_that_did_not_start_is_put_back(jobs: Jobs) -> None:
    for _ in range(2):
        await jobs.add()
    started, finish = asyncio.Event(), asyncio.Event()
    done: list[object] = []

    async def slow(job: Job) -> None:
        started.set()
        await wait_for_event(finish)
        done.append(job.id)

    background = frozenset({jobs.name})
    async with running_worker(jobs.db, {jobs.name: slow}, background=background) as (queue, task):
        await wait_for_event(started)
        queue.drain()
        finish.set()
        await asyncio.wait_for(task, TIMEOUT_S)
    assert len(done) == 1
    assert [status for status, _ in await jobs.states()] == ["queued"]


async def test_a_delayed_job_waits(jobs: Jobs) -> None:
    later = await jobs.add(delay=timedelta(hours=1))
    await jobs.add()
    done: list[object] = []

    async def handle(job: Job) -> None:
        done.append(job.id)

    async with running_worker(jobs.db, {jobs.name: handle}):
        await jobs.wait_for(("queued", 0))
    assert later.id not in done
    assert len(done) == 1


# Retries


async def test_a_failing_job_is_retried_with_growing_delays_and_then_kept_as_failed(
    jobs: Jobs, quick_retries: None
) -> None:
    await jobs.add()
    attempts: list[Job] = []
    times_s: list[float] = []

    async def fail(job: Job) -> None:
        attempts.append(job)
        times_s.append(time.monotonic())
        raise RuntimeError("not today")

    async with running_worker(jobs.db, {jobs.name: fail}, heartbeat=FAST_HEARTBEAT):
        await jobs.wait_for(("failed", ATTEMPTS - 1))
    assert [job.attempt for job in attempts] == list(range(1, ATTEMPTS + 1))
    assert len({job.id for job in attempts}) == 1
    waits_s = [later - earlier for earlier, later in pairwise(times_s)]
    assert all(wait >= 0.05 * 2**n for n, wait in enumerate(waits_s)), waits_s


async def test_a_job_that_failed_permanently_is_not_retried(
    jobs: Jobs, quick_retries: None
) -> None:
    await jobs.add()
    attempts = 0

    async def fail(job: Job) -> None:
        nonlocal attempts
        attempts += 1
        raise RuntimeError

    failed = ("failed", ATTEMPTS - 1)
    async with running_worker(jobs.db, {jobs.name: fail}, heartbeat=FAST_HEARTBEAT):
        await jobs.wait_for(failed)
    attempts_before = attempts
    await jobs.add()
    async with running_worker(jobs.db, {jobs.name: fail}, heartbeat=FAST_HEARTBEAT):
        await jobs.wait_for(failed, failed)
    assert attempts - attempts_before == ATTEMPTS, "only the new job was tried"


async def test_a_job_that_succeeds_after_failures_is_done(jobs: Jobs, quick_retries: None) -> None:
    await jobs.add()
    attempts: list[int] = []

    async def recover(job: Job) -> None:
        attempts.append(job.attempt)
        if job.attempt < 3:
            raise RuntimeError

    async with running_worker(jobs.db, {jobs.name: recover}, heartbeat=FAST_HEARTBEAT):
        await jobs.wait_for()
    assert attempts == [1, 2, 3]


async def test_a_failing_job_does_not_delay_others(jobs: Jobs) -> None:
    bad, good = await jobs.add(), await jobs.add()
    done: list[object] = []

    async def handle(job: Job) -> None:
        if job.id == bad.id:
            raise RuntimeError
        done.append(job.id)

    async with running_worker(jobs.db, {jobs.name: handle}):
        await jobs.wait_for(("queued", 1))
    assert done == [good.id]


# Crashes


async def start_worker(server: Server, jobs: Jobs, handler: str) -> subprocess.Popen[str]:
    """Start a worker in another process, which a test may kill."""
    return await asyncio.to_thread(
        code_process,
        *(WORKER, jobs.name, handler),
        env={**os.environ, "REMEM_DATA_DIR": str(server.data_dir)},
        stdout=subprocess.PIPE,
        text=True,
    )


async def test_the_job_of_a_killed_worker_is_done_by_another(server: Server, jobs: Jobs) -> None:
    job = await jobs.add()
    process = await start_worker(server, jobs, "hang")
    try:
        assert process.stdout is not None
        line = await asyncio.wait_for(asyncio.to_thread(process.stdout.readline), TIMEOUT_S)
        assert line == "begun\n"
        assert await jobs.states() == [("picked", 0)]
    finally:
        process.send_signal(signal.SIGKILL)
        await asyncio.to_thread(process.wait)
    done: list[object] = []

    async def handle(job_seen: Job) -> None:
        done.append(job_seen.id)

    async with running_worker(jobs.db, {jobs.name: handle}, heartbeat=FAST_HEARTBEAT):
        await jobs.wait_for()
    assert done == [job.id]


async def test_a_job_that_kills_its_workers_is_a_crash_loop(server: Server, jobs: Jobs) -> None:
    await jobs.add()
    for _ in range(MAX_LOSSES):
        process = await start_worker(server, jobs, "die")
        assert await asyncio.to_thread(process.wait, TIMEOUT_S) == -signal.SIGKILL
    assert await jobs.states() == [("picked", 0)]
    seen: list[Job] = []

    async def refuse(job_seen: Job) -> None:
        seen.append(job_seen)
        raise RuntimeError

    async with running_worker(jobs.db, {jobs.name: refuse}, heartbeat=FAST_HEARTBEAT):
        await jobs.wait_for(("failed", 0))
    counted = [(job.lost, job.attempt, job.is_crash_loop) for job in seen]
    assert counted == [(MAX_LOSSES, MAX_LOSSES + 1, True)]


async def test_jobs_of_a_dead_worker_run_one_at_a_time(server: Server, jobs: Jobs) -> None:
    """One at a time, so that a job that kills its worker affects the others only once."""
    for _ in range(3):
        await jobs.add()
    process = await start_worker(server, jobs, "hang")
    try:
        assert process.stdout is not None
        for _ in range(3):
            line = await asyncio.wait_for(asyncio.to_thread(process.stdout.readline), TIMEOUT_S)
            assert line == "begun\n"
    finally:
        process.send_signal(signal.SIGKILL)
        await asyncio.to_thread(process.wait)
    running, max_running, lost = 0, 0, []

    async def handle(job: Job) -> None:
        nonlocal running, max_running
        running += 1
        max_running = max(max_running, running)
        lost.append(job.lost)
        await jobs.states()
        running -= 1

    async with running_worker(jobs.db, {jobs.name: handle}, heartbeat=FAST_HEARTBEAT):
        await jobs.wait_for()
    assert (max_running, lost) == (1, [1, 1, 1])


async def test_a_job_that_was_put_back_does_not_count_as_lost(
    jobs: Jobs, quick_retries: None
) -> None:
    await jobs.add()
    lost: list[int] = []

    async def recover(job: Job) -> None:
        lost.append(job.lost)
        if job.attempt < 4:
            raise RuntimeError

    async with running_worker(jobs.db, {jobs.name: recover}, heartbeat=FAST_HEARTBEAT):
        await jobs.wait_for()
    assert lost == [0, 0, 0, 0]


async def test_a_long_job_of_a_live_worker_is_not_taken_over(jobs: Jobs) -> None:
    """Its heartbeats continue for longer than the other worker waits for one."""
    await jobs.add()
    started, finish = asyncio.Event(), asyncio.Event()
    taken_over: list[object] = []

    async def long(job: Job) -> None:
        started.set()
        await wait_for_event(finish)

    async def other(job: Job) -> None:
        taken_over.append(job.id)

    async with running_worker(jobs.db, {jobs.name: long}, heartbeat=SLOW_HEARTBEAT):
        await wait_for_event(started)
        async with running_worker(jobs.db, {jobs.name: other}, heartbeat=SLOW_HEARTBEAT):
            beats = [await heartbeat_of(jobs)]
            while beats[-1] - beats[0] <= SLOW_HEARTBEAT:
                await wait_until(lambda: is_newer(jobs, beats[-1]))
                beats.append(await heartbeat_of(jobs))
        finish.set()
        await jobs.wait_for()
    assert taken_over == []


async def heartbeat_of(jobs: Jobs) -> timedelta:
    async with jobs.db.pool.acquire() as connection:
        heartbeat = await connection.fetchval(
            "SELECT heartbeat - 'epoch' FROM pgqueuer WHERE entrypoint = $1", jobs.name
        )
    assert heartbeat is not None, "the job is gone"
    return heartbeat


async def is_newer(jobs: Jobs, before: timedelta) -> bool:
    return await heartbeat_of(jobs) > before


async def test_a_cancelled_job_runs_again(jobs: Jobs) -> None:
    """A cancelled worker leaves its job to the next one."""
    job = await jobs.add()
    started = asyncio.Event()

    async def hang(job_seen: Job) -> None:
        started.set()
        await asyncio.Event().wait()

    async with running_worker(jobs.db, {jobs.name: hang}) as (_, task):
        await wait_for_event(started)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
    done: list[object] = []

    async def handle(job_seen: Job) -> None:
        done.append(job_seen.id)

    async with running_worker(jobs.db, {jobs.name: handle}, heartbeat=FAST_HEARTBEAT):
        await jobs.wait_for()
    assert done == [job.id]


async def test_draining_finishes_running_jobs_and_starts_no_new_ones(jobs: Jobs) -> None:
    await jobs.add()
    started, finish = asyncio.Event(), asyncio.Event()
    done: list[object] = []

    async def slow(job: Job) -> None:
        started.set()
        await wait_for_event(finish)
        done.append(job.id)

    async with running_worker(jobs.db, {jobs.name: slow}) as (queue, task):
        await wait_for_event(started)
        # A fetch from the queue that is in progress would still take the new job.
        await asyncio.sleep(0.5)
        queue.drain()
        await jobs.add()
        ended_tasks, _ = await asyncio.wait([task], timeout=0.5)
        assert not ended_tasks, "it waits for the job"
        finish.set()
        await asyncio.wait_for(task, TIMEOUT_S)
    assert len(done) == 1
    assert await jobs.states() == [("queued", 0)]


async def test_an_idle_worker_drains_at_once(jobs: Jobs) -> None:
    done = asyncio.Event()

    async def handle(job: Job) -> None:
        done.set()

    # It would otherwise end with its next look at the queue, soon after.
    never = timedelta(hours=1)
    async with running_worker(jobs.db, {jobs.name: handle}, heartbeat=never) as (queue, task):
        await jobs.add()
        await wait_for_event(done)
        await jobs.wait_for()
        queue.drain()
        await asyncio.wait_for(task, TIMEOUT_S)


async def test_a_worker_that_is_drained_before_it_starts_does_not_start(jobs: Jobs) -> None:
    async def handle(job: Job) -> None:
        raise AssertionError

    await jobs.add()
    queue = PgQueuerQueue(jobs.db)
    queue.drain()
    await asyncio.wait_for(queue.work({jobs.name: handle}, concurrency=2), TIMEOUT_S)
    assert await jobs.states() == [("queued", 0)]


# Lost database connections


@pytest.fixture
async def separate_jobs(server: Server, scope: Scope) -> AsyncIterator[Jobs]:
    """Jobs in a separate database, which tests can make unavailable."""

    async def wait() -> None:
        """Do nothing: the tests bring the database back."""

    async with scratch_database(server) as name:
        pool = await asyncpg.create_pool(
            url(server, name),
            min_size=1,
            max_size=10,
            timeout=TIMEOUT_S,
            server_settings={"search_path": "public"},
        )
        db = Database(pool, wait)
        queue = PgQueuerQueue(db)
        await queue.prepare()
        yield Jobs(db, queue, scope, name)
        await asyncio.wait_for(pool.close(), TIMEOUT_S)


async def end_connections(server: Server, jobs: Jobs) -> None:
    """End every connection to the database of these jobs."""
    async with connected(server, SUPERUSER, SUPERUSER) as superuser:
        ended = await superuser.fetch(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1", jobs.name
        )
    assert ended


@asynccontextmanager
async def without_database(server: Server, jobs: Jobs) -> AsyncIterator[None]:
    """Make the database unavailable: end all connections and allow no new ones."""
    async with connected(server, SUPERUSER, SUPERUSER) as superuser:
        try:
            await superuser.execute(f"ALTER DATABASE {jobs.name} ALLOW_CONNECTIONS false")
            await end_connections(server, jobs)
            yield
        finally:
            await superuser.execute(f"ALTER DATABASE {jobs.name} ALLOW_CONNECTIONS true")


async def test_a_worker_that_loses_its_connections_continues(
    server: Server, separate_jobs: Jobs
) -> None:
    done: list[object] = []

    async def handle(job: Job) -> None:
        done.append(job.id)

    async with running_worker(
        separate_jobs.db, {separate_jobs.name: handle}, heartbeat=FAST_HEARTBEAT
    ):
        first = await separate_jobs.add()
        await separate_jobs.wait_for()
        await end_connections(server, separate_jobs)
        second = await separate_jobs.add()
        await separate_jobs.wait_for()
    assert done == [first.id, second.id]


async def test_a_job_that_runs_while_connections_are_lost_is_done(
    server: Server, separate_jobs: Jobs
) -> None:
    started, finish = asyncio.Event(), asyncio.Event()
    done: set[object] = set()

    async def slow(job: Job) -> None:
        started.set()
        await wait_for_event(finish)
        done.add(job.id)

    async with running_worker(
        separate_jobs.db, {separate_jobs.name: slow}, heartbeat=FAST_HEARTBEAT
    ):
        job = await separate_jobs.add()
        await wait_for_event(started)
        await end_connections(server, separate_jobs)
        finish.set()
        await separate_jobs.wait_for()
    assert done == {job.id}


async def test_a_job_that_fails_without_the_database_is_done_when_it_is_back(
    server: Server, separate_jobs: Jobs, quick_retries: None
) -> None:
    """The worker cannot even put the job back, which must not end the job."""
    started, failed, finish = asyncio.Event(), asyncio.Event(), asyncio.Event()
    done: list[object] = []

    async def need_database(job: Job) -> None:
        started.set()
        await wait_for_event(finish)
        try:
            async with separate_jobs.db.transaction(Bound()):
                done.append(job.id)
        except Exception:
            failed.set()
            raise

    async with running_worker(
        separate_jobs.db, {separate_jobs.name: need_database}, heartbeat=FAST_HEARTBEAT
    ):
        job = await separate_jobs.add()
        await wait_for_event(started)
        async with without_database(server, separate_jobs):
            finish.set()
            await wait_for_event(failed)
        await separate_jobs.wait_for()
    assert set(done) == {job.id}


async def test_a_worker_waits_for_an_unavailable_database(
    server: Server, separate_jobs: Jobs
) -> None:
    done: list[object] = []

    async def handle(job: Job) -> None:
        done.append(job.id)

    job = await separate_jobs.add()
    async with (
        without_database(server, separate_jobs),
        running_worker(separate_jobs.db, {separate_jobs.name: handle}) as (queue, task),
    ):
        ended_tasks, _ = await asyncio.wait([task], timeout=0.5)
        assert not ended_tasks, "it does not give up"
        queue.drain()
        await asyncio.wait_for(task, TIMEOUT_S)
    async with running_worker(separate_jobs.db, {separate_jobs.name: handle}):
        await separate_jobs.wait_for()
    assert done == [job.id]


async def test_a_listener_that_cannot_be_reset_returns_its_connection(
    separate_jobs: Jobs, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise each lost listener would permanently use up one connection of the pool."""
    reset = asyncpg.Connection.reset

    async def fail_once(self: asyncpg.Connection, *, timeout: float | None = None) -> None:
        monkeypatch.setattr(asyncpg.Connection, "reset", reset)
        raise asyncpg.InternalClientError("cut off")

    pool = separate_jobs.db.pool
    with pytest.raises(asyncpg.InternalClientError):
        async with pgqueuer.ListeningDriver(pool) as driver:
            await driver.add_listener("test", lambda payload: None)
            monkeypatch.setattr(asyncpg.Connection, "reset", fail_once)
    assert pool.get_idle_size() == pool.get_size()


async def test_a_worker_probes_its_listener_only_once_it_listens(
    jobs: Jobs, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A probe that is sent before LISTEN is never received: after each ordinary start the listener
    seemed broken after ten seconds and was restarted. Here LISTEN is late, as on a busy machine."""
    steps: list[str] = []
    probed = asyncio.Event()
    listen, notify = AsyncpgPoolDriver.add_listener, AsyncpgPoolDriver.notify

    async def listen_late(self: AsyncpgPoolDriver, channel: str, callback: Any) -> None:
        with suppress(TimeoutError):
            await asyncio.wait_for(probed.wait(), 0.2)
        await listen(self, channel, callback)
        steps.append("listens")

    async def probe(self: AsyncpgPoolDriver, channel: str, payload: str) -> None:
        await notify(self, channel, payload)
        steps.append("probes")
        probed.set()

    monkeypatch.setattr(AsyncpgPoolDriver, "add_listener", listen_late)
    monkeypatch.setattr(AsyncpgPoolDriver, "notify", probe)
    async with running_worker(jobs.db, {}):
        await wait_for_event(probed)
    assert steps[:2] == ["listens", "probes"]


# Jobs that wait for a service


def failing_handler(service: str | None, times: int = 1) -> tuple[JobHandler, list[Job]]:
    """A handler that fails so many times because a service is down, and the jobs it was given."""
    started: list[Job] = []

    async def handle(job: Job) -> None:
        started.append(job)
        if len(started) <= times:
            down = Unavailable("It cannot answer now.")
            down.service = service
            raise Unavailable("There was no vector.") from down

    return handle, started


@pytest.fixture
def slow_retries(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pgqueuer, "FIRST_DELAY_S", 200)


@pytest.mark.usefixtures("slow_retries")
async def test_a_job_that_waits_for_a_service_is_done_when_it_is_back(jobs: Jobs) -> None:
    service = f"embedding-{jobs.name}"
    handle, started = failing_handler(service)
    await jobs.add()
    async with running_worker(jobs.db, {jobs.name: handle}):
        await jobs.wait_for(("queued", 1))
        assert await jobs.queue.wake("another service") == 0
        assert len(started) == 1
        assert await jobs.queue.wake(service) == 1
        await jobs.wait_for()
    assert [job.attempt for job in started] == [1, 2]


@pytest.mark.usefixtures("slow_retries")
async def test_one_waiting_job_is_the_trial(jobs: Jobs) -> None:
    service = f"embedding-{jobs.name}"
    handle, started = failing_handler(service, times=4)
    for _ in range(3):
        await jobs.add()
    async with running_worker(jobs.db, {jobs.name: handle}):
        await jobs.wait_for(*[("queued", 1)] * 3)
        assert await jobs.queue.wake(service, 1) == 1
        await jobs.wait_for(("queued", 2), ("queued", 1), ("queued", 1))
        assert await jobs.queue.wake(service, 1) == 1
        await jobs.wait_for(("queued", 2), ("queued", 1))
        assert await jobs.queue.wake(service) == 2
        await jobs.wait_for()
    assert len(started) == 7


@pytest.mark.usefixtures("slow_retries")
async def test_a_job_that_fails_for_another_reason_is_not_woken(jobs: Jobs) -> None:
    handle, started = failing_handler(None)
    await jobs.add()
    async with running_worker(jobs.db, {jobs.name: handle}):
        await jobs.wait_for(("queued", 1))
        assert await jobs.queue.wake("embedding") == 0
    assert len(started) == 1


class RecordingQueue:
    """A fake queue that records wake-ups."""

    def __init__(self) -> None:
        self.woken: list[tuple[str, int | None]] = []

    async def wake(self, service: str, limit: int | None = None) -> int:
        self.woken.append((service, limit))
        if limit is None:
            raise RuntimeError("the database is away")
        return limit


async def test_the_circuit_wakes_one_job_after_its_pause_and_all_when_calls_succeed() -> None:
    queue = RecordingQueue()
    waker = JobWaker(queue)  # pyrefly: ignore[bad-argument-type]
    circuit = Circuit("embedding", Tolerance(1, 0.05, 0.05))
    waker.watch(circuit)
    circuit.fail("status 500")

    async def is_woken(expected: list[tuple[str, int | None]]) -> bool:
        return queue.woken == expected

    await wait_until(partial(is_woken, [("embedding", 1)]))
    await wait_until(partial(is_due, circuit))
    with circuit.request():
        pass
    with circuit.request():
        pass
    await wait_until(partial(is_woken, [("embedding", 1), ("embedding", None)]))
    circuit.fail("status 500")
    await waker.close()
    assert len(queue.woken) == 2


async def is_due(circuit: Circuit) -> bool:
    return circuit.is_trial_due
