"""How much memory a process and its children came to use while something went on."""

import threading
from collections.abc import Iterator
from pathlib import Path

EVERY_S = 0.01
_SELF = Path("/proc/self")


class Scales(threading.Thread):
    """Looks at the children as long as they live: what the system says of those that ended counts
    in what their parent used when it started them."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self._done = threading.Event()
        self._own = (_SELF / "cmdline").read_bytes()
        self._before = _peak(_SELF)
        self._most = 0

    @property
    def peak_bytes(self) -> int:
        """The most that any child used, or that this process took since."""
        return max(self._most, _peak(_SELF) - self._before)

    def run(self) -> None:
        while not self._done.wait(EVERY_S):
            for child in self._children_now():
                self._most = max(self._most, _peak(child))

    def stop(self) -> None:
        self._done.set()
        self.join()

    def _children_now(self) -> Iterator[Path]:
        """Children that run their own program already, no longer a likeness of this one."""
        for task in (_SELF / "task").glob("*/children"):
            for id in _read(task).split():
                child = Path("/proc") / id
                if _read(child / "cmdline").encode() not in (b"", self._own):
                    yield child


def _peak(process: Path) -> int:
    lines = _read(process / "status").splitlines()
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM")), 0)


def _read(path: Path) -> str:
    try:
        return path.read_text()
    except (FileNotFoundError, ProcessLookupError):
        return ""
