"""Seeing one start of the server through until it answers, however long recovery takes."""

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
from remem.adapters.database.embedded.waiting import Waiting, to_the_end
from remem.core.errors import CannotStart

ORPHANS_LIMIT_S = 30.0
# A server whose folder was removed ends itself within a minute, so we wait a little longer.
SILENCE_LIMIT_S = 90.0


class Answer(StrEnum):
    READY = "database_ready"
    RECOVERING = "database_recovering"
    NONE = "database_not_answering"


class Start:
    """Asks, launches the server when there is none, and waits while there is one."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster
        self._waiting = Waiting()
        self._heard_s = 0.0
        self._log_offset: int | None = None
        self._seems_dead = False

    async def until_ready(self) -> Path:
        """The folder of the socket that answers; raises CannotStart when the server has died."""
        while True:
            socket_dir = announced_folder(self._cluster) or socket_folder(self._cluster)
            answer = await _ask(socket_dir)
            if answer is Answer.READY:
                return socket_dir
            if answer is Answer.NONE:
                await self._revive()
            else:
                self._heard_s = self._waiting.elapsed_s
            await self._waiting.pause(answer)

    async def _revive(self) -> None:
        pid = await to_the_end(lambda: find_postmaster(self._cluster))
        if pid is not None:
            self._seems_dead = False
            self._check_silence(pid)
        elif self._log_offset is None or self._may_try_again(self._log_offset):
            await self._await_orphans()
            self._log_offset = await to_the_end(self._launch)

    def _launch(self) -> int:
        return launch(self._cluster, socket_folder(self._cluster))

    def _check_silence(self, pid: int) -> None:
        if self._waiting.elapsed_s - self._heard_s > SILENCE_LIMIT_S:
            raise CannotStart(
                f"A database server (process {pid}) uses {self._cluster.folder} and does not "
                f"answer; end it (kill {pid}) and start again."
            )

    def _may_try_again(self, log_offset: int) -> bool:
        """Seen dead twice, because a process shows no name in the moment it changes its program."""
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
        while orphans := await to_the_end(lambda: find_orphans(self._cluster)):
            if waiting.elapsed_s > ORPHANS_LIMIT_S:
                named = " ".join(map(str, orphans))
                raise CannotStart(
                    f"Processes of a killed database server still use {self._cluster.folder}; "
                    f"end them (kill {named}) and start again."
                )
            await waiting.pause("database_orphans")


async def _ask(socket_dir: Path) -> Answer:
    """A server is there when it takes a connection; a process id or a file proves nothing."""
    try:
        await provision(socket_dir)
    except asyncpg.CannotConnectNowError:
        return Answer.RECOVERING
    except asyncpg.TooManyConnectionsError:
        return Answer.READY
    except (OSError, asyncpg.InterfaceError, asyncpg.InternalClientError):
        return Answer.NONE
    except (asyncpg.PostgresConnectionError, asyncpg.OperatorInterventionError):
        return Answer.NONE
    return Answer.READY
