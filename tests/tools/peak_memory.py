"""Measure how much memory this process and its children use at most."""

import threading
from collections.abc import Iterator
from pathlib import Path

INTERVAL_S = 0.01
_SELF = Path("/proc/self")


class PeakMemory(threading.Thread):
    """Samples the children while they run. What the system reports about children that ended
    includes the memory of their parent at the moment of the fork."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self._done = threading.Event()
        self._own_command = (_SELF / "cmdline").read_bytes()
        self._peak_at_start = _peak(_SELF)
        self._children_peak = 0

    @property
    def peak_bytes(self) -> int:
        """The most that any child used, or by which this process grew since the start."""
        return max(self._children_peak, _peak(_SELF) - self._peak_at_start)

    def run(self) -> None:
        while not self._done.wait(INTERVAL_S):
            for child in self._children_now():
                self._children_peak = max(self._children_peak, _peak(child))

    def stop(self) -> None:
        self._done.set()
        self.join()

    def _children_now(self) -> Iterator[Path]:
        """Children that already run their own program and are no longer a fork of this one."""
        for task in (_SELF / "task").glob("*/children"):
            for id in _read(task).split():
                child = Path("/proc") / id
                if _read(child / "cmdline").encode() not in (b"", self._own_command):
                    yield child


def _peak(process: Path) -> int:
    lines = _read(process / "status").splitlines()
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM")), 0)


def _read(path: Path) -> str:
    try:
        return path.read_text()
    except (FileNotFoundError, ProcessLookupError):
        return ""
