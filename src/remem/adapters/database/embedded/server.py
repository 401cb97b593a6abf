"""The shared server as seen by one process: the first one starts it, the last one stops it."""

import asyncio
import fcntl
import os
from enum import StrEnum
from pathlib import Path

import asyncpg
import structlog

from remem.adapters.database.embedded.cluster import Cluster, open_cluster
from remem.adapters.database.embedded.failures import STILL_ATTACHED, explain
from remem.adapters.database.embedded.folders import (
    make_data_folder,
    open_private_file,
    read_log,
    unusable_folder,
)
from remem.adapters.database.embedded.postmaster import halt, launch
from remem.adapters.database.embedded.processes import find_orphans, find_postmaster
from remem.adapters.database.embedded.provision import DATABASE, ROLE, provision
from remem.adapters.database.embedded.sockets import address, announced_folder, socket_folder
from remem.adapters.database.embedded.waiting import FIRST_PAUSE_S, Waiting, run_to_completion
from remem.core.errors import CannotStart

log = structlog.get_logger()


class EmbeddedPostgres:
    """One user of the server in `data_dir`. The first user starts the server and the last one stops
    it. If a user is killed and the server keeps running, the next user takes it over."""

    def __init__(self, data_dir: Path) -> None:
        self._data_dir = data_dir.expanduser().resolve()
        self._starting = FileLock(self._data_dir / "start.lock")
        self._users = FileLock(self._data_dir / "users.lock")
        self._cluster: Cluster | None = None
        self._reviving = asyncio.Lock()

    async def start(self) -> str:
        try:
            await run_to_completion(lambda: make_data_folder(self._data_dir))
            await self._starting.acquire()
            return await self._start()
        except PermissionError as error:
            raise unusable_folder(self._data_dir, str(error)) from error
        except (OSError, asyncpg.PostgresError) as error:
            raise explain(str(error), self._data_dir) from error
        finally:
            self._starting.release()

    async def revive(self) -> None:
        """Restart the server after a crash; the first caller does it for all others."""
        async with self._reviving:
            if self._cluster is None:
                return
            try:
                await self._starting.acquire()
                await Startup(self._cluster).wait_until_ready()
            finally:
                self._starting.release()

    async def stop(self) -> None:
        """Stop in a thread, which keeps the lock to the end even if the caller is cancelled. The
        lock does not work within a process, so a running `revive` is awaited first."""
        try:
            async with self._reviving:
                await asyncio.to_thread(self._stop)
        except Exception:
            log.exception("database_not_stopped")

    async def _start(self) -> str:
        try:
            await self._users.acquire(shared=True)
            self._cluster = await run_to_completion(lambda: open_cluster(self._data_dir))
            return address(await Startup(self._cluster).wait_until_ready(), ROLE, DATABASE)
        except BaseException:
            await run_to_completion(self._leave)
            raise

    def _stop(self) -> None:
        if self._cluster is None:
            return
        try:
            self._starting.wait_exclusive()
            self._leave()
        finally:
            self._starting.release()

    def _leave(self) -> None:
        """Release our lock, and stop the server if nobody else has one. Needs the start lock."""
        cluster, self._cluster = self._cluster, None
        self._users.release()
        try:
            if cluster is not None and self._users.try_exclusive():
                halt(cluster, announced_folder(cluster) or socket_folder(cluster))
        finally:
            self._users.release()


# Locks between processes, which the kernel releases however a process ends.


_held: set[int] = set()


def _close_in_child() -> None:
    """Close the locks in a forked child, which would keep them locked after its parent's death."""
    for descriptor in _held:
        os.close(descriptor)
    _held.clear()


os.register_at_fork(after_in_child=_close_in_child)


class FileLock:
    """One flock on one file, shared or exclusive. The file itself is never removed."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._descriptor: int | None = None

    async def acquire(self, *, shared: bool = False) -> None:
        """Wait for the lock without blocking the event loop."""
        # Polling is cheap, and a process that polls rarely is overtaken by others.
        waiting = Waiting(longest_pause_s=FIRST_PAUSE_S)
        while not self._try(fcntl.LOCK_SH if shared else fcntl.LOCK_EX):
            await waiting.pause("database_busy_elsewhere")

    def wait_exclusive(self) -> None:
        """Wait for the exclusive lock, blocking the thread."""
        fcntl.flock(self._open(), fcntl.LOCK_EX)

    def try_exclusive(self) -> bool:
        return self._try(fcntl.LOCK_EX)

    def release(self) -> None:
        descriptor, self._descriptor = self._descriptor, None
        if descriptor in _held:
            _held.discard(descriptor)
            os.close(descriptor)

    def _try(self, operation: int) -> bool:
        try:
            fcntl.flock(self._open(), operation | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def _open(self) -> int:
        if self._descriptor is None:
            self._descriptor = open_private_file(self._path, os.O_RDWR)
            _held.add(self._descriptor)
        return self._descriptor


# Start the server and wait until it accepts connections, however long recovery takes.


ORPHANS_LIMIT_S = 30.0
# A server whose folder was removed stops within a minute, so we wait a little longer.
SILENCE_LIMIT_S = 90.0


class Status(StrEnum):
    READY = "database_ready"
    RECOVERING = "database_recovering"
    NONE = "database_not_answering"


class Startup:
    """Probes the server, launches it if there is none, and waits until it is ready."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster
        self._waiting = Waiting()
        self._last_answer_s = 0.0
        self._log_offset: int | None = None
        self._seems_dead = False

    async def wait_until_ready(self) -> Path:
        """Return the folder of the server's socket. Raises CannotStart if the server died."""
        while True:
            socket_dir = announced_folder(self._cluster) or socket_folder(self._cluster)
            status = await _probe(socket_dir)
            if status is Status.READY:
                return socket_dir
            if status is Status.NONE:
                await self._start_if_dead()
            else:
                self._last_answer_s = self._waiting.elapsed_s
            await self._waiting.pause(status)

    async def _start_if_dead(self) -> None:
        pid = await run_to_completion(lambda: find_postmaster(self._cluster))
        if pid is not None:
            self._seems_dead = False
            self._check_silence(pid)
        elif self._log_offset is None or self._should_retry(self._log_offset):
            await self._await_orphans()
            self._log_offset = await run_to_completion(self._launch)

    def _launch(self) -> int:
        return launch(self._cluster, socket_folder(self._cluster))

    def _check_silence(self, pid: int) -> None:
        if self._waiting.elapsed_s - self._last_answer_s > SILENCE_LIMIT_S:
            raise CannotStart(
                f"A database server (process {pid}) uses {self._cluster.folder} and does not "
                f"answer; end it (kill {pid}) and start again."
            )

    def _should_retry(self, log_offset: int) -> bool:
        """Whether to launch again. Checked twice, because a process has no name during exec."""
        if not self._seems_dead:
            self._seems_dead = True
            return False
        self._seems_dead = False
        output = read_log(self._cluster.log, log_offset)
        if STILL_ATTACHED in output and self._waiting.elapsed_s < ORPHANS_LIMIT_S:
            return True
        raise explain(output, self._cluster.data_dir)

    async def _await_orphans(self) -> None:
        waiting = Waiting()
        while orphans := await run_to_completion(lambda: find_orphans(self._cluster)):
            if waiting.elapsed_s > ORPHANS_LIMIT_S:
                pids = " ".join(map(str, orphans))
                raise CannotStart(
                    f"Processes of a killed database server still use {self._cluster.folder}; "
                    f"end them (kill {pids}) and start again."
                )
            await waiting.pause("database_orphans")


async def _probe(socket_dir: Path) -> Status:
    """Connect to the server: only that shows its status, not a process id or a file."""
    try:
        await provision(socket_dir)
    except asyncpg.CannotConnectNowError:
        return Status.RECOVERING
    except asyncpg.TooManyConnectionsError:
        return Status.READY
    except (OSError, asyncpg.InterfaceError, asyncpg.InternalClientError):
        return Status.NONE
    except (asyncpg.PostgresConnectionError, asyncpg.OperatorInterventionError):
        return Status.NONE
    return Status.READY
