"""A server and a worker as separate processes on one store, with their memory and CPU time."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from sets.serving import address_of


@dataclass(frozen=True, slots=True)
class Programs:
    url: str
    server_pid: int
    worker_pid: int


@contextmanager
def server_and_worker(data_dir: Path) -> Iterator[Programs]:
    """Run a server without jobs, and a worker for all jobs."""
    server = _start(data_dir, "serve", "--port", "0", "--no-worker")
    url = address_of(server)
    worker = _start(data_dir, "worker")
    try:
        yield Programs(url, server.pid, worker.pid)
    finally:
        for process in (worker, server):
            process.terminate()
            process.wait()


def _start(data_dir: Path, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "remem", *arguments],
        env={
            **os.environ,
            "REMEM_DATA_DIR": str(data_dir),
            "REMEM_RATE_LIMIT": "100000000",
            "REMEM_LOG_LEVEL": "warning",
        },
        stdout=subprocess.PIPE,
        text=True,
    )


def postgres_pid(data_dir: Path) -> int:
    return int((data_dir / "postgres" / "postmaster.pid").read_text().split("\n")[0])


def memory_mb(pid: int) -> float:
    """The memory of a process and its children; shared memory counts once."""
    return sum(_proportional_kb(member) for member in _family(pid)) / 1_024


def _family(pid: int) -> list[int]:
    try:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:
        return []
    return [pid, *(member for child in children for member in _family(int(child)))]


def _proportional_kb(pid: int) -> int:
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith("Pss:")), 0)


def cpu_s(pid: int) -> float:
    """The CPU time of a process and its children, including exited ones; on a busy machine it is
    more reliable than wall-clock time."""
    return sum(_ticks(member) for member in _family(pid)) / os.sysconf("SC_CLK_TCK")


def _ticks(pid: int) -> int:
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    except OSError:
        return 0
    return sum(int(field) for field in fields[11:15])
