"""Whether the server can serve requests: each check has a deadline and is cached for a moment."""

import asyncio
import errno
import os
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import TypeAlias

from remem.core.backup.status import backup_status
from remem.core.errors import RememError
from remem.core.ports import Ports
from remem.core.providers import ModelProvider
from remem.settings import Settings

DEADLINE_S = 1.0
FRESH_S = 2.0
OK, NO_ANSWER, STOPPING = "ok", "no answer", "stopping"
# Without these, some work is delayed or done by rules; saved data is safe and searchable by word.
DEGRADED = frozenset(("failing", "paused", "budget_spent", "overdue"))

# Returns the state as a word, or nothing when all is well; raises on failure.
Probe: TypeAlias = Callable[[], Awaitable[object]]


class Readiness:
    def __init__(
        self,
        probes: Mapping[str, Probe],
        deadline_s: float = DEADLINE_S,
        providers: Mapping[str, ModelProvider] | None = None,
    ) -> None:
        self._providers = providers or {}
        self._checks = {name: _Check(probe, deadline_s) for name, probe in probes.items()}
        # Set before the server stops accepting requests, so that load balancers send no new ones.
        self.is_stopping = False

    async def report(self) -> dict[str, str]:
        states = await asyncio.gather(*(check.state() for check in self._checks.values()))
        stopping = {"server": STOPPING} if self.is_stopping else {}
        return {**stopping, **dict(zip(self._checks, states, strict=True))}

    def retry_in_s(self) -> dict[str, int]:
        """The seconds until each paused provider is called again."""
        states = {name: provider.state() for name, provider in self._providers.items()}
        return {
            name: max(1, round(state.retry_in_s))
            for name, state in states.items()
            if state.state == "paused"
        }

    def close(self) -> None:
        for check in self._checks.values():
            check.close()


class _Check:
    """Runs one probe at a time, however many callers wait. A hanging probe is left running:
    cancelling a query of a stopped database would block until the database responds."""

    def __init__(self, probe: Probe, deadline_s: float) -> None:
        self._probe, self._deadline_s = probe, deadline_s
        self._task: asyncio.Task[None] | None = None
        self._state, self._checked_at = NO_ANSWER, float("-inf")

    async def state(self) -> str:
        if time.monotonic() - self._checked_at < FRESH_S:
            return self._state
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._run())
        _, late = await asyncio.wait({self._task}, timeout=self._deadline_s)
        if late:
            self._record(NO_ANSWER)
        return self._state

    async def _run(self) -> None:
        try:
            self._record(str(await self._probe() or OK))
        except RememError as error:
            self._record(error.code)
        except Exception as error:
            self._record(type(error).__name__)

    def _record(self, state: str) -> None:
        self._state, self._checked_at = state, time.monotonic()

    def close(self) -> None:
        if self._task:
            self._task.cancel()


def readiness_of(ports: Ports, settings: Settings) -> Readiness:
    return Readiness(
        {
            "database": ports.db.ping,
            "queue": partial(_queue, ports),
            "disk": partial(_disk, settings),
            "embedding": ports.embedder.check,
            **({"backups": partial(_backups, ports)} if ports.back_up else {}),
            **{name: partial(_provider, provider) for name, provider in ports.providers.items()},
        },
        providers=ports.providers,
    )


async def _provider(provider: ModelProvider) -> str:
    """Return the state after the latest calls. A check makes no call itself, because that may cost
    money."""
    return provider.state().state


async def _backups(ports: Ports) -> str | None:
    return "overdue" if (await backup_status(ports)).is_overdue else None


async def _queue(ports: Ports) -> None:
    await ports.queue.depth()


async def _disk(settings: Settings) -> str | None:
    return await asyncio.to_thread(check_disk, folders_of(settings), settings.min_free_bytes)


# Check that the folders of the store accept writes.


FULL, READ_ONLY = "full", "read_only"
_PROBE_BYTES = 4_096
_FULL_ERRORS = frozenset({errno.ENOSPC, errno.EDQUOT})
_READ_ONLY_ERRORS = frozenset({errno.EROFS, errno.EACCES, errno.EPERM})


def folders_of(settings: Settings) -> list[Path]:
    """Return the folders of the store on this machine; a bucket is not on a local disk."""
    folders = [settings.data_dir, *([] if settings.is_in_s3 else [settings.blobs_folder])]
    return [folder for folder in folders if folder.is_dir()]


def check_disk(folders: Iterable[Path], min_free_bytes: int) -> str | None:
    """Return the first problem found in the folders, in one word, or None if all are writable."""
    return next(
        (state for folder in folders if (state := _folder_state(folder, min_free_bytes))), None
    )


def _folder_state(folder: Path, min_free_bytes: int) -> str | None:
    try:
        stats = os.statvfs(folder)
        if stats.f_bavail * stats.f_frsize < min_free_bytes:
            return FULL
        # A quota or a read-only disk shows up only when writing.
        with tempfile.TemporaryFile(dir=folder, prefix=".health-") as file:
            file.write(b"\0" * _PROBE_BYTES)
    except OSError as error:
        if error.errno in _FULL_ERRORS:
            return FULL
        return READ_ONLY if error.errno in _READ_ONLY_ERRORS else type(error).__name__
    return None
