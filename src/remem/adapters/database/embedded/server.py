"""The shared server as seen by one process: the first one starts it, the last one stops it."""

import asyncio
from pathlib import Path

import asyncpg
import structlog

from remem.adapters.database.embedded.cluster import Cluster, open_cluster
from remem.adapters.database.embedded.failures import explain
from remem.adapters.database.embedded.folders import make_data_folder, unusable_folder
from remem.adapters.database.embedded.locks import FileLock
from remem.adapters.database.embedded.postmaster import halt
from remem.adapters.database.embedded.provision import DATABASE, ROLE
from remem.adapters.database.embedded.sockets import address, announced_folder, socket_folder
from remem.adapters.database.embedded.startup import Startup
from remem.adapters.database.embedded.waiting import run_to_completion

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
