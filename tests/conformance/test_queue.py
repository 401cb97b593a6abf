"""The queue: a job is done at least once, whatever dies in between, and once when nothing does."""

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
from tests.conftest import Server
from tests.core.scratch import SUPERUSER, connected, scratch_database, url
from tests.tools.preloaded import code_process

pytestmark = pytest.mark.anyio

WITHIN_S = 20
QUICK = timedelta(seconds=0.5)
# Slow enough that a busy machine does not make a living worker look dead.
LIVELY = timedelta(seconds=3)

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
    """The jobs of one name of their own, which no other worker knows."""

    db: Database
    queue: PgQueuerQueue
    scope: Scope
    name: str

    async def add(self, delay: timedelta | None = None) -> Job:
        """Connections that were just lost are found out one by one."""
        with anyio.fail_after(WITHIN_S):
            while True:
                try:
                    async with self.db.transaction(Bound()) as tx:
                        return await self.add_in(tx, delay)
                except Unavailable:
                    await anyio.sleep(0.02)

    async def add_in(self, tx: asyncpg.Connection, delay: timedelta | None = None) -> Job:
        job = Job(new_id(), self.name, self.scope.tenant_id, self.scope.user_id, new_id())
        await self.queue.enqueue(tx, job, delay=delay)
        return job

    async def kept(self) -> list[tuple[str, int]]:
        """What is in the queue: state and attempts so far."""
        async with self.db.pool.acquire() as connection:
            rows = await connection.fetch(
                "SELECT status::text, attempts FROM pgqueuer WHERE entrypoint = $1 ORDER BY id",
                self.name,
            )
        return [(row["status"], row["attempts"]) for row in rows]

    async def until(self, *states: tuple[str, int]) -> None:
        await until(lambda: self._is(states))

    async def _is(self, states: tuple[tuple[str, int], ...]) -> bool:
        try:
            return await self.kept() == list(states)
        except (
            OSError,
            asyncpg.PostgresError,
            asyncpg.InterfaceError,
            asyncpg.InternalClientError,
        ):
            return False


async def until(fact: Callable[[], Awaitable[bool]]) -> None:
    with anyio.fail_after(WITHIN_S):
        while not await fact():
            await anyio.sleep(0.02)


async def until_set(event: asyncio.Event) -> None:
    await asyncio.wait_for(event.wait(), WITHIN_S)


@asynccontextmanager
async def working(
    db: Database,
    handlers: Mapping[str, JobHandler],
    heartbeat: timedelta = pgqueuer.HEARTBEAT,
    concurrency: int = 4,
    background: frozenset[str] = frozenset(),
) -> AsyncIterator[tuple[PgQueuerQueue, asyncio.Task[None]]]:
    """A worker of its own; at the end it is drained, and has to end."""
    queue = PgQueuerQueue(db, heartbeat=heartbeat)
    task = asyncio.create_task(queue.work(handlers, concurrency=concurrency, background=background))
    try:
        yield queue, task
    finally:
        queue.drain()
        if not task.cancelled():
            await asyncio.wait_for(task, WITHIN_S)


@pytest.fixture
def jobs(ports: Ports, scope: Scope) -> Jobs:
    return Jobs(ports.db, PgQueuerQueue(ports.db), scope, f"test_{new_id().hex}")


@pytest.fixture
def quick_retries(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pgqueuer, "FIRST_DELAY_S", 0.05)


# Enqueued with its cause


async def test_a_job_of_a_rolled_back_transaction_was_never_there(jobs: Jobs) -> None:
    with pytest.raises(RuntimeError):
        async with jobs.db.transaction(Bound()) as tx:
            await jobs.add_in(tx)
            raise RuntimeError
    assert await jobs.kept() == []


async def test_a_job_is_there_when_its_transaction_is(jobs: Jobs) -> None:
    async with jobs.db.transaction(Bound()) as tx:
        await jobs.add_in(tx)
        assert await jobs.kept() == [], "not before"
    assert await jobs.kept() == [("queued", 0)]


async def test_depth_counts_what_waits(jobs: Jobs) -> None:
    before = await jobs.queue.depth()
    for _ in range(3):
        await jobs.add(delay=timedelta(hours=1))
    assert await jobs.queue.depth() >= before + 3


async def test_preparing_again_and_at_once_changes_nothing(jobs: Jobs) -> None:
    await jobs.add(delay=timedelta(hours=1))
    await asyncio.gather(*(PgQueuerQueue(jobs.db).prepare() for _ in range(4)))
    assert await jobs.kept() == [("queued", 0)]


# Done


async def test_a_worker_is_told_everything_about_its_job(jobs: Jobs) -> None:
    job, seen, done = await jobs.add(), [], asyncio.Event()

    async def handle(job_seen: Job) -> None:
        seen.append(job_seen)
        done.set()

    async with working(jobs.db, {jobs.name: handle}):
        await until_set(done)
        await jobs.until()
    assert seen == [job]


async def test_every_job_is_done_once_by_one_of_several_workers(jobs: Jobs) -> None:
    added = [(await jobs.add()).id for _ in range(30)]
    done: list[tuple[int, object]] = []

    def worker(number: int) -> JobHandler:
        async def handle(job: Job) -> None:
            done.append((number, job.id))

        return handle

    async with (
        working(jobs.db, {jobs.name: worker(1)}),
        working(jobs.db, {jobs.name: worker(2)}),
    ):
        await jobs.until()
    assert sorted(id for _, id in done) == sorted(added)


async def test_a_job_added_while_a_worker_waits_is_done(jobs: Jobs) -> None:
    done: list[object] = []

    async def handle(job: Job) -> None:
        done.append(job.id)

    async with working(jobs.db, {jobs.name: handle}):
        for _ in range(3):
            job = await jobs.add()
            await jobs.until()
            assert done[-1] == job.id
    assert len(done) == 3


async def test_as_many_run_at_once_as_were_asked_for_and_no_more(jobs: Jobs) -> None:
    running, most, full = 0, 0, asyncio.Event()
    for _ in range(12):
        await jobs.add()

    async def handle(job: Job) -> None:
        nonlocal running, most
        running += 1
        most = max(most, running)
        if running == 3:
            full.set()
        await until_set(full)
        await jobs.kept()
        running -= 1

    async with working(jobs.db, {jobs.name: handle}, concurrency=3):
        await jobs.until()
    assert most == 3


async def test_of_background_jobs_one_runs_and_others_have_room_beside_it(jobs: Jobs) -> None:
    behind = replace(jobs, name=f"{jobs.name}_behind")
    running, most, others = 0, 0, asyncio.Event()
    for _ in range(6):
        await behind.add()

    async def handle_behind(job: Job) -> None:
        nonlocal running, most
        running += 1
        most = max(most, running)
        await until_set(others)
        await jobs.kept()
        running -= 1

    async def handle(job: Job) -> None:
        assert running == 1
        others.set()

    handlers = {behind.name: handle_behind, jobs.name: handle}
    async with working(jobs.db, handlers, background=frozenset({behind.name})):
        await until(lambda: _is_picked(behind))
        await jobs.add()
        await until_set(others)
        picked = [status for status, _ in await behind.kept()].count("picked")
        await behind.until()
    assert most == 1
    # As many as one batch has.
    assert picked <= 2


async def _is_picked(jobs: Jobs) -> bool:
    return any(status == "picked" for status, _ in await jobs.kept())


async def test_a_background_job_whose_turn_never_came_is_put_back(jobs: Jobs) -> None:
    for _ in range(2):
        await jobs.add()
    begun, finish = asyncio.Event(), asyncio.Event()
    done: list[object] = []

    async def slow(job: Job) -> None:
        begun.set()
        await until_set(finish)
        done.append(job.id)

    background = frozenset({jobs.name})
    async with working(jobs.db, {jobs.name: slow}, background=background) as (queue, task):
        await until_set(begun)
        queue.drain()
        finish.set()
        await asyncio.wait_for(task, WITHIN_S)
    assert len(done) == 1
    assert [status for status, _ in await jobs.kept()] == ["queued"]


async def test_a_delayed_job_waits(jobs: Jobs) -> None:
    later = await jobs.add(delay=timedelta(hours=1))
    await jobs.add()
    done: list[object] = []

    async def handle(job: Job) -> None:
        done.append(job.id)

    async with working(jobs.db, {jobs.name: handle}):
        await jobs.until(("queued", 0))
    assert later.id not in done
    assert len(done) == 1


# Tried again


async def test_a_job_that_fails_is_tried_again_more_and_more_slowly_then_kept(
    jobs: Jobs, quick_retries: None
) -> None:
    await jobs.add()
    tried: list[Job] = []
    at: list[float] = []

    async def fail(job: Job) -> None:
        tried.append(job)
        at.append(time.monotonic())
        raise RuntimeError("not today")

    async with working(jobs.db, {jobs.name: fail}, heartbeat=QUICK):
        await jobs.until(("failed", ATTEMPTS - 1))
    assert [job.attempt for job in tried] == list(range(1, ATTEMPTS + 1))
    assert len({job.id for job in tried}) == 1
    waited = [after - before for before, after in pairwise(at)]
    assert all(wait >= 0.05 * 2**n for n, wait in enumerate(waited)), waited


async def test_a_job_that_failed_for_good_is_left_alone(jobs: Jobs, quick_retries: None) -> None:
    await jobs.add()
    tried = 0

    async def fail(job: Job) -> None:
        nonlocal tried
        tried += 1
        raise RuntimeError

    failed = ("failed", ATTEMPTS - 1)
    async with working(jobs.db, {jobs.name: fail}, heartbeat=QUICK):
        await jobs.until(failed)
    before = tried
    await jobs.add()
    async with working(jobs.db, {jobs.name: fail}, heartbeat=QUICK):
        await jobs.until(failed, failed)
    assert tried - before == ATTEMPTS, "only the new one was tried"


async def test_a_job_that_recovers_is_done(jobs: Jobs, quick_retries: None) -> None:
    await jobs.add()
    tried: list[int] = []

    async def recover(job: Job) -> None:
        tried.append(job.attempt)
        if job.attempt < 3:
            raise RuntimeError

    async with working(jobs.db, {jobs.name: recover}, heartbeat=QUICK):
        await jobs.until()
    assert tried == [1, 2, 3]


async def test_a_failing_job_does_not_hold_up_others(jobs: Jobs) -> None:
    bad, good = await jobs.add(), await jobs.add()
    done: list[object] = []

    async def handle(job: Job) -> None:
        if job.id == bad.id:
            raise RuntimeError
        done.append(job.id)

    async with working(jobs.db, {jobs.name: handle}):
        await jobs.until(("queued", 1))
    assert done == [good.id]


# Whatever dies


async def other_worker(server: Server, jobs: Jobs, handler: str) -> subprocess.Popen[str]:
    """A worker in a process of its own, which may die."""
    return await asyncio.to_thread(
        code_process,
        *(WORKER, jobs.name, handler),
        env={**os.environ, "REMEM_DATA_DIR": str(server.data_dir)},
        stdout=subprocess.PIPE,
        text=True,
    )


async def test_the_job_of_a_killed_worker_is_done_by_another(server: Server, jobs: Jobs) -> None:
    job = await jobs.add()
    process = await other_worker(server, jobs, "hang")
    try:
        assert process.stdout is not None
        begun = await asyncio.wait_for(asyncio.to_thread(process.stdout.readline), WITHIN_S)
        assert begun == "begun\n"
        assert await jobs.kept() == [("picked", 0)]
    finally:
        process.send_signal(signal.SIGKILL)
        await asyncio.to_thread(process.wait)
    done: list[object] = []

    async def handle(job_seen: Job) -> None:
        done.append(job_seen.id)

    async with working(jobs.db, {jobs.name: handle}, heartbeat=QUICK):
        await jobs.until()
    assert done == [job.id]


async def test_a_job_that_kills_its_workers_is_known_by_it(server: Server, jobs: Jobs) -> None:
    await jobs.add()
    for _ in range(MAX_LOSSES):
        process = await other_worker(server, jobs, "die")
        assert await asyncio.to_thread(process.wait, WITHIN_S) == -signal.SIGKILL
    assert await jobs.kept() == [("picked", 0)]
    seen: list[Job] = []

    async def refuse(job_seen: Job) -> None:
        seen.append(job_seen)
        raise RuntimeError

    async with working(jobs.db, {jobs.name: refuse}, heartbeat=QUICK):
        await jobs.until(("failed", 0))
    counted = [(job.lost, job.attempt, job.is_crash_loop) for job in seen]
    assert counted == [(MAX_LOSSES, MAX_LOSSES + 1, True)]


async def test_what_a_dead_worker_leaves_is_done_by_turns(server: Server, jobs: Jobs) -> None:
    """So that a job which kills its worker takes the others along only once."""
    for _ in range(3):
        await jobs.add()
    process = await other_worker(server, jobs, "hang")
    try:
        assert process.stdout is not None
        for _ in range(3):
            begun = await asyncio.wait_for(asyncio.to_thread(process.stdout.readline), WITHIN_S)
            assert begun == "begun\n"
    finally:
        process.send_signal(signal.SIGKILL)
        await asyncio.to_thread(process.wait)
    running, most, lost = 0, 0, []

    async def handle(job: Job) -> None:
        nonlocal running, most
        running += 1
        most = max(most, running)
        lost.append(job.lost)
        await jobs.kept()
        running -= 1

    async with working(jobs.db, {jobs.name: handle}, heartbeat=QUICK):
        await jobs.until()
    assert (most, lost) == (1, [1, 1, 1])


async def test_a_job_that_was_put_back_is_not_lost(jobs: Jobs, quick_retries: None) -> None:
    await jobs.add()
    lost: list[int] = []

    async def recover(job: Job) -> None:
        lost.append(job.lost)
        if job.attempt < 4:
            raise RuntimeError

    async with working(jobs.db, {jobs.name: recover}, heartbeat=QUICK):
        await jobs.until()
    assert lost == [0, 0, 0, 0]


async def test_a_long_job_of_a_living_worker_is_not_taken_over(jobs: Jobs) -> None:
    """Its heartbeat says that it lives, for longer than another waits for one."""
    await jobs.add()
    begun, finish = asyncio.Event(), asyncio.Event()
    taken_over: list[object] = []

    async def long(job: Job) -> None:
        begun.set()
        await until_set(finish)

    async def other(job: Job) -> None:
        taken_over.append(job.id)

    async with working(jobs.db, {jobs.name: long}, heartbeat=LIVELY):
        await until_set(begun)
        async with working(jobs.db, {jobs.name: other}, heartbeat=LIVELY):
            beats = [await beat(jobs)]
            while beats[-1] - beats[0] <= LIVELY:
                await until(lambda: newer(jobs, beats[-1]))
                beats.append(await beat(jobs))
        finish.set()
        await jobs.until()
    assert taken_over == []


async def beat(jobs: Jobs) -> timedelta:
    async with jobs.db.pool.acquire() as connection:
        at = await connection.fetchval(
            "SELECT heartbeat - 'epoch' FROM pgqueuer WHERE entrypoint = $1", jobs.name
        )
    assert at is not None, "the job is gone"
    return at


async def newer(jobs: Jobs, before: timedelta) -> bool:
    return await beat(jobs) > before


async def test_a_job_that_is_cut_short_is_done_again(jobs: Jobs) -> None:
    """A worker that may not wait any longer leaves its job to the next."""
    job = await jobs.add()
    begun = asyncio.Event()

    async def hang(job_seen: Job) -> None:
        begun.set()
        await asyncio.Event().wait()

    async with working(jobs.db, {jobs.name: hang}) as (_, task):
        await until_set(begun)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
    done: list[object] = []

    async def handle(job_seen: Job) -> None:
        done.append(job_seen.id)

    async with working(jobs.db, {jobs.name: handle}, heartbeat=QUICK):
        await jobs.until()
    assert done == [job.id]


async def test_draining_lets_what_runs_finish_and_begins_nothing_new(jobs: Jobs) -> None:
    await jobs.add()
    begun, finish = asyncio.Event(), asyncio.Event()
    done: list[object] = []

    async def slow(job: Job) -> None:
        begun.set()
        await until_set(finish)
        done.append(job.id)

    async with working(jobs.db, {jobs.name: slow}) as (queue, task):
        await until_set(begun)
        # What it is just asking the queue for would still be taken.
        await asyncio.sleep(0.5)
        queue.drain()
        await jobs.add()
        ended, _ = await asyncio.wait([task], timeout=0.5)
        assert not ended, "it waits for the job"
        finish.set()
        await asyncio.wait_for(task, WITHIN_S)
    assert len(done) == 1
    assert await jobs.kept() == [("queued", 0)]


async def test_a_worker_with_nothing_to_do_drains_at_once(jobs: Jobs) -> None:
    done = asyncio.Event()

    async def handle(job: Job) -> None:
        done.set()

    async with working(jobs.db, {jobs.name: handle}) as (queue, task):
        await jobs.add()
        await until_set(done)
        await jobs.until()
        queue.drain()
        await asyncio.wait_for(task, 3)


async def test_a_worker_drained_before_it_begins_does_not_begin(jobs: Jobs) -> None:
    async def handle(job: Job) -> None:
        raise AssertionError

    await jobs.add()
    queue = PgQueuerQueue(jobs.db)
    queue.drain()
    await asyncio.wait_for(queue.work({jobs.name: handle}, concurrency=2), 3)
    assert await jobs.kept() == [("queued", 0)]


# A database that goes away


@pytest.fixture
async def apart(server: Server, scope: Scope) -> AsyncIterator[Jobs]:
    """Jobs in a database of their own, which can be taken away."""

    async def wait() -> None:
        """It is not ours to bring back."""

    async with scratch_database(server) as name:
        pool = await asyncpg.create_pool(
            url(server, name),
            min_size=1,
            max_size=10,
            timeout=5,
            server_settings={"search_path": "public"},
        )
        db = Database(pool, wait)
        queue = PgQueuerQueue(db)
        await queue.prepare()
        yield Jobs(db, queue, scope, name)
        await asyncio.wait_for(pool.close(), WITHIN_S)


async def cut_off(server: Server, jobs: Jobs) -> None:
    """End every connection to the database of these jobs."""
    async with connected(server, SUPERUSER, SUPERUSER) as killer:
        ended = await killer.fetch(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1", jobs.name
        )
    assert ended


@asynccontextmanager
async def gone(server: Server, jobs: Jobs) -> AsyncIterator[None]:
    """Take the database away: nobody is in, and nobody gets in."""
    async with connected(server, SUPERUSER, SUPERUSER) as keeper:
        try:
            await keeper.execute(f"ALTER DATABASE {jobs.name} ALLOW_CONNECTIONS false")
            await cut_off(server, jobs)
            yield
        finally:
            await keeper.execute(f"ALTER DATABASE {jobs.name} ALLOW_CONNECTIONS true")


async def test_a_worker_that_loses_its_connections_works_on(server: Server, apart: Jobs) -> None:
    done: list[object] = []

    async def handle(job: Job) -> None:
        done.append(job.id)

    async with working(apart.db, {apart.name: handle}, heartbeat=QUICK):
        before = await apart.add()
        await apart.until()
        await cut_off(server, apart)
        after = await apart.add()
        await apart.until()
    assert done == [before.id, after.id]


async def test_a_job_that_runs_while_connections_are_lost_is_done(
    server: Server, apart: Jobs
) -> None:
    begun, finish = asyncio.Event(), asyncio.Event()
    done: set[object] = set()

    async def slow(job: Job) -> None:
        begun.set()
        await until_set(finish)
        done.add(job.id)

    async with working(apart.db, {apart.name: slow}, heartbeat=QUICK):
        job = await apart.add()
        await until_set(begun)
        await cut_off(server, apart)
        finish.set()
        await apart.until()
    assert done == {job.id}


async def test_a_job_that_fails_because_the_database_is_gone_is_done_when_it_is_back(
    server: Server, apart: Jobs, quick_retries: None
) -> None:
    """The worker cannot even put the job back; that must not count as its last word."""
    begun, failed, finish = asyncio.Event(), asyncio.Event(), asyncio.Event()
    done: list[object] = []

    async def need_database(job: Job) -> None:
        begun.set()
        await until_set(finish)
        try:
            async with apart.db.transaction(Bound()):
                done.append(job.id)
        except Exception:
            failed.set()
            raise

    async with working(apart.db, {apart.name: need_database}, heartbeat=QUICK):
        job = await apart.add()
        await until_set(begun)
        async with gone(server, apart):
            finish.set()
            await until_set(failed)
        await apart.until()
    assert set(done) == {job.id}


async def test_a_worker_waits_for_a_database_that_is_gone(server: Server, apart: Jobs) -> None:
    done: list[object] = []

    async def handle(job: Job) -> None:
        done.append(job.id)

    job = await apart.add()
    async with gone(server, apart), working(apart.db, {apart.name: handle}) as (queue, task):
        ended, _ = await asyncio.wait([task], timeout=0.5)
        assert not ended, "it does not give up"
        queue.drain()
        await asyncio.wait_for(task, 10)
    async with working(apart.db, {apart.name: handle}):
        await apart.until()
    assert done == [job.id]


async def test_a_listener_that_cannot_be_reset_gives_its_connection_back(
    apart: Jobs, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise each lost listener takes one connection of the pool away for good."""
    reset = asyncpg.Connection.reset

    async def fail_once(self: asyncpg.Connection, *, timeout: float | None = None) -> None:
        monkeypatch.setattr(asyncpg.Connection, "reset", reset)
        raise asyncpg.InternalClientError("cut off")

    pool = apart.db.pool
    with pytest.raises(asyncpg.InternalClientError):
        async with pgqueuer.ListeningDriver(pool) as driver:
            await driver.add_listener("test", lambda payload: None)
            monkeypatch.setattr(asyncpg.Connection, "reset", fail_once)
    assert pool.get_idle_size() == pool.get_size()


async def test_a_worker_probes_its_listener_only_once_it_listens(
    jobs: Jobs, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A probe that is sent before LISTEN is never heard: every plain start took the worker for deaf
    after ten seconds, and began anew. Here LISTEN is late, as on a busy machine."""
    order: list[str] = []
    probed = asyncio.Event()
    listen, notify = AsyncpgPoolDriver.add_listener, AsyncpgPoolDriver.notify

    async def late(self: AsyncpgPoolDriver, channel: str, callback: Any) -> None:
        with suppress(TimeoutError):
            await asyncio.wait_for(probed.wait(), 0.2)
        await listen(self, channel, callback)
        order.append("listens")

    async def probe(self: AsyncpgPoolDriver, channel: str, payload: str) -> None:
        await notify(self, channel, payload)
        order.append("probes")
        probed.set()

    monkeypatch.setattr(AsyncpgPoolDriver, "add_listener", late)
    monkeypatch.setattr(AsyncpgPoolDriver, "notify", probe)
    async with working(jobs.db, {}):
        await until_set(probed)
    assert order[:2] == ["listens", "probes"]


# What waits for a service


def waiting_for(service: str | None, times: int = 1) -> tuple[JobHandler, list[Job]]:
    """Fails so often, because the service is down; what was begun."""
    begun: list[Job] = []

    async def handle(job: Job) -> None:
        begun.append(job)
        if len(begun) <= times:
            down = Unavailable("It cannot answer now.")
            down.service = service
            raise Unavailable("There was no vector.") from down

    return handle, begun


@pytest.fixture
def slow_retries(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pgqueuer, "FIRST_DELAY_S", 200)


@pytest.mark.usefixtures("slow_retries")
async def test_a_job_that_waits_for_a_service_is_done_when_it_is_back(jobs: Jobs) -> None:
    service = f"embedding-{jobs.name}"
    handle, begun = waiting_for(service)
    await jobs.add()
    async with working(jobs.db, {jobs.name: handle}):
        await jobs.until(("queued", 1))
        assert await jobs.queue.wake("another service") == 0
        assert len(begun) == 1
        assert await jobs.queue.wake(service) == 1
        await jobs.until()
    assert [job.attempt for job in begun] == [1, 2]


@pytest.mark.usefixtures("slow_retries")
async def test_one_of_those_that_wait_is_the_trial(jobs: Jobs) -> None:
    service = f"embedding-{jobs.name}"
    handle, begun = waiting_for(service, times=4)
    for _ in range(3):
        await jobs.add()
    async with working(jobs.db, {jobs.name: handle}):
        await jobs.until(*[("queued", 1)] * 3)
        assert await jobs.queue.wake(service, 1) == 1
        await jobs.until(("queued", 2), ("queued", 1), ("queued", 1))
        assert await jobs.queue.wake(service, 1) == 1
        await jobs.until(("queued", 2), ("queued", 1))
        assert await jobs.queue.wake(service) == 2
        await jobs.until()
    assert len(begun) == 7


@pytest.mark.usefixtures("slow_retries")
async def test_a_job_that_fails_of_something_else_waits_for_its_time(jobs: Jobs) -> None:
    handle, begun = waiting_for(None)
    await jobs.add()
    async with working(jobs.db, {jobs.name: handle}):
        await jobs.until(("queued", 1))
        assert await jobs.queue.wake("embedding") == 0
    assert len(begun) == 1


class WokenQueue:
    """Stands where the queue does, and says what was woken."""

    def __init__(self) -> None:
        self.woken: list[tuple[str, int | None]] = []

    async def wake(self, service: str, limit: int | None = None) -> int:
        self.woken.append((service, limit))
        if limit is None:
            raise RuntimeError("the database is away")
        return limit


async def test_the_circuit_wakes_one_after_its_pause_and_all_when_calls_continue() -> None:
    queue = WokenQueue()
    waker = JobWaker(queue)  # pyrefly: ignore[bad-argument-type]
    circuit = Circuit("embedding", Tolerance(1, 0.05, 0.05))
    waker.watch(circuit)
    circuit.fail("status 500")

    async def is_woken(expected: list[tuple[str, int | None]]) -> bool:
        return queue.woken == expected

    await until(partial(is_woken, [("embedding", 1)]))
    await until(partial(is_due, circuit))
    with circuit.request():
        pass
    with circuit.request():
        pass
    await until(partial(is_woken, [("embedding", 1), ("embedding", None)]))
    circuit.fail("status 500")
    await waker.close()
    assert len(queue.woken) == 2


async def is_due(circuit: Circuit) -> bool:
    return circuit.is_trial_due
