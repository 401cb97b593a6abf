"""Locks between processes, which the kernel releases however a process ends."""

import fcntl
import os
from pathlib import Path

from remem.adapters.database.embedded.folders import open_private_file
from remem.adapters.database.embedded.waiting import FIRST_PAUSE_S, Waiting

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
