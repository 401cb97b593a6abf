"""Start the server and wait until it accepts connections, however long recovery takes."""

from enum import StrEnum
from pathlib import Path

import asyncpg

from remem.adapters.database.embedded.cluster import Cluster
from remem.adapters.database.embedded.failures import STILL_ATTACHED, explain
from remem.adapters.database.embedded.folders import read_log
from remem.adapters.database.embedded.postmaster import launch
from remem.adapters.database.embedded.processes import find_orphans, find_postmaster
from remem.adapters.database.embedded.provision import provision
from remem.adapters.database.embedded.sockets import announced_folder, socket_folder
from remem.adapters.database.embedded.waiting import Waiting, run_to_completion
from remem.core.errors import CannotStart

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
